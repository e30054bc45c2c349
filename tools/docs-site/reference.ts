import { code, escape, example, link, slugOf, table } from './html';
import type { Page } from './layout';
import { renderDescription, renderInline } from './markdown';
import { type Row, type Schema, SchemaReader } from './schema-rows';

interface Operation extends Schema {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  'x-tier'?: string;
  'x-scope'?: string | null;
  'x-error-codes'?: string[];
  security?: Schema[];
  parameters?: Schema[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Schema>;
}
interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
export interface OpenApi extends Schema {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
}
export interface Endpoint {
  method: string;
  path: string;
  page: string;
  operation: Operation;
}

/** All operations of the document, in its order. */
export function endpointsOf({ paths }: OpenApi): Endpoint[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      page: `reference/${slugOf(operation.tags[0] ?? '')}/${operation.operationId}`,
    })),
  );
}

/** The pages of the reference: one for each group, operation and webhook, and one that lists the groups. */
export function referencePages(document: OpenApi, statuses: Readonly<Record<string, string>>): Page[] {
  const reader = new SchemaReader(document);
  const endpoints = endpointsOf(document);
  const webhooks = Object.entries(document.webhooks);
  return [
    overview(document),
    ...document.tags.map((tag) => group(tag, endpoints)),
    ...endpoints.map((each) => operationPage(each, reader, statuses)),
    webhookList(webhooks),
    ...webhooks.map(([name, { post }]) => webhookPage(name, post, reader)),
  ];
}

function overview({ info, tags }: OpenApi): Page {
  const rows = tags.map(({ name, description }) => [
    link(`/docs/reference/${slugOf(name)}`, name),
    renderInline(description),
  ]);
  rows.push([link('/docs/reference/events', 'Webhook requests'), 'The requests that an endpoint receives.']);
  return {
    path: 'reference',
    title: 'API reference',
    kind: 'list',
    html: `<h1>API reference</h1>\n${table('Groups of endpoints', ['group', 'content'], rows)}${renderDescription(info.description)}`,
  };
}

/** The portal sends requests that change nothing. */
function tryIt(method: string, path: string, { operationId }: Operation): string {
  if (method !== 'GET' || !path.startsWith('/v1/')) return '';
  return `<p>${link(`/portal/try-it?operation=${operationId}`, 'Try it with your session')}</p>`;
}

function group({ name, description }: { name: string; description: string }, all: readonly Endpoint[]): Page {
  const rows = all
    .filter(({ operation }) => operation.tags[0] === name)
    .map(({ method, path, page, operation }) => [
      link(`/docs/${page}`, operation.summary),
      code(`${method} ${path}`),
      escape(operation['x-tier'] ?? '–'),
      operation['x-scope'] ? code(operation['x-scope']) : '–',
    ]);
  return {
    path: `reference/${slugOf(name)}`,
    title: `${name}: endpoints`,
    kind: 'list',
    html: `<h1>${escape(name)}</h1>\n${renderDescription(description)}${table(`Endpoints of ${name}`, ['endpoint', 'request', 'lowest tier', 'scope'], rows)}`,
  };
}

function operationPage(
  { method, path, page, operation }: Endpoint,
  reader: SchemaReader,
  statuses: Readonly<Record<string, string>>,
): Page {
  const parameters = (operation.parameters ?? []).map((each) => reader.resolve(each));
  const [body] = Object.values(operation.requestBody?.content ?? {});
  const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
  const errors = operation['x-error-codes'] ?? [];
  return {
    path: page,
    title: `${operation.summary} (${method} ${path})`,
    kind: 'operation',
    description: `${method} ${path}: ${operation.summary}`,
    html: [
      `<h1>${escape(operation.summary)}</h1>`,
      `<p class="request">${code(`${method} ${path}`)}</p>`,
      renderDescription(operation.description),
      access(operation),
      parameterTable(parameters, reader),
      body ? `<h2 id="body">Body</h2>\n${fields('Fields of the body', reader.rows(body.schema))}` : '',
      body ? exampleOf('Example of a body', body) : '',
      `<h2 id="example">Example</h2>\n${example('Request with curl', curl(method, path, parameters, operation, body))}`,
      tryIt(method, path, operation),
      `<h2 id="responses">Responses</h2>`,
      ...successes.map(([status, response]) => responsePart(status, reader.resolve(response), reader)),
      errors.length > 0 ? `<h2 id="errors">Errors</h2>` : '',
      table(
        'Error codes',
        ['code', 'meaning'],
        errors.map((each) => [
          `<a href="/docs/errors/${each}">${code(each)}</a>`,
          escape(statuses[each] ?? ''),
        ]),
      ),
    ].join('\n'),
  };
}

function access({ security, ...operation }: Operation): string {
  const items =
    security === undefined
      ? [
          `Lowest ${link('/docs/api/authentication#tiers', 'tier')}: ${escape(operation['x-tier'] ?? 'open')}`,
          `${link('/docs/api/authentication#scopes', 'Scope')}: ${operation['x-scope'] ? code(operation['x-scope']) : 'none, any valid key'}`,
        ]
      : [
          security.length > 0
            ? `Needs the ${link('/docs/api/accounts#sessions', 'session')} of a browser.`
            : 'Needs no key and no session.',
        ];
  return `<ul>\n${items.map((each) => `<li>${each}</li>`).join('\n')}\n</ul>`;
}

function parameterTable(parameters: readonly Schema[], reader: SchemaReader): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map((each) => [
    code(String(each['name'])),
    escape(`${String(each['in'])}${each['required'] ? ', required' : ''}`),
    escape(reader.typeOf((each['schema'] ?? {}) as Schema)),
    renderInline(String(each['description'] ?? '')),
  ]);
  return `<h2 id="parameters">Parameters</h2>\n${table('Parameters', ['name', 'in', 'type', 'description'], rows)}`;
}

function responsePart(status: string, response: Schema, reader: SchemaReader): string {
  const content = (response['content'] ?? {}) as Record<string, Media>;
  const types = Object.keys(content);
  const json = content['application/json'];
  return [
    `<h3 id="response-${status}">${status}</h3>`,
    renderDescription(String(response['description'] ?? '')),
    types.length > 1 ? `<p>Types: ${types.map(code).join(', ')}</p>` : '',
    json ? fields(`Fields of the response ${status}`, reader.rows(json.schema)) : '',
    json ? exampleOf(`Example of the response ${status}`, json) : '',
    headerLine(Object.keys((response['headers'] ?? {}) as Schema)),
  ].join('\n');
}

const headerLine = (names: readonly string[]): string =>
  names.length > 0 ? `<p>Headers: ${names.map(code).join(', ')}</p>` : '';

function fields(label: string, rows: readonly Row[]): string {
  return table(
    label,
    ['field', 'type', 'description'],
    rows.map(({ path, type, isRequired, description }) => [
      code(path),
      escape(isRequired ? type : `${type}, optional`),
      renderInline(description),
    ]),
  );
}

function exampleOf(label: string, { example: value, examples }: Media): string {
  const [first] = Object.values(examples ?? {});
  const shown = value ?? first?.value;
  return shown === undefined ? '' : example(label, JSON.stringify(shown, null, 2));
}

/** A request that a reader can send after setting ORIGIN and KEY. */
function curl(
  method: string,
  path: string,
  parameters: readonly Schema[],
  { security }: Operation,
  body?: Media,
): string {
  const valueOf = (parameter: Schema): string => {
    const schema = (parameter['schema'] ?? {}) as Schema;
    const [first] = (schema['examples'] ?? schema['enum'] ?? []) as unknown[];
    return String(parameter['example'] ?? first ?? `{${String(parameter['name'])}}`);
  };
  const required = parameters.filter((each) => each['required']);
  const filled = required
    .filter((each) => each['in'] === 'path')
    .reduce((at, each) => at.replace(`{${String(each['name'])}}`, valueOf(each)), path);
  const query = required
    .filter((each) => each['in'] === 'query')
    .map((each) => `${String(each['name'])}=${encodeURIComponent(valueOf(each))}`);
  const url = `"$ORIGIN${filled}${query.length > 0 ? `?${query.join('&')}` : ''}"`;
  const [shown] = body ? [body.example ?? Object.values(body.examples ?? {})[0]?.value] : [];
  const isSession = security !== undefined && security.length > 0;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${url}`,
    ...(security === undefined ? ['-H "x-api-key: $KEY"'] : []),
    ...(isSession ? ['-b cookies.txt', '-H "origin: $ORIGIN"'] : []),
    ...(shown === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d '${JSON.stringify(shown).replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');
}

function webhookList(webhooks: readonly (readonly [string, { post: Operation }])[]): Page {
  const rows = webhooks.map(([name, { post }]) => [
    `<a href="/docs/reference/events/${escape(name)}">${code(name)}</a>`,
    renderInline(post.description),
  ]);
  return {
    path: 'reference/events',
    title: 'Webhook requests',
    kind: 'list',
    html: `<h1>Webhook requests</h1>\n<p>The requests that an endpoint receives. ${link('/docs/guides/receiving-webhooks', 'Receiving webhooks')} explains how to verify them.</p>\n${table('Event types', ['event', 'sent when'], rows)}`,
  };
}

function webhookPage(name: string, operation: Operation, reader: SchemaReader): Page {
  const [body] = Object.values(operation.requestBody?.content ?? {});
  return {
    path: `reference/events/${name}`,
    title: `Webhook request ${name}`,
    kind: 'operation',
    html: [
      `<h1>Webhook request ${code(name)}</h1>`,
      renderDescription(operation.description),
      parameterTable(
        (operation.parameters ?? []).map((each) => reader.resolve(each)),
        reader,
      ),
      `<h2 id="body">Body</h2>`,
      body ? fields('Fields of the body', reader.rows(body.schema)) : '',
      body ? exampleOf('Example of a body', body) : '',
    ].join('\n'),
  };
}
