import { brunoLang } from './bruno-lang';
import type { Document, DocumentedOperation } from './document';
import { type Operation, operationsOf } from './operations';

/* Collections of requests for Postman and Bruno. Both have the same requests, from one list. */

const LOCAL_URL = 'http://127.0.0.1:4000';
/** Both programs replace it with a new UUID for each request. */
const NEW_KEY = '{{$guid}}';

interface Value {
  name: string;
  value: string;
  description: string;
  /** False: it is listed, and sent when the user enables it. */
  isEnabled: boolean;
}

/** A request of a collection. */
interface Entry {
  id: string;
  name: string;
  tag: string;
  description: string;
  method: string;
  /** With {name} for each value of `inPath`. */
  path: string;
  inPath: Value[];
  query: Value[];
  headers: Value[];
  /** JSON text; undefined: no body. */
  body?: string;
}

type Described = DocumentedOperation & { tags: string[] };
type Openapi = Document & {
  info: { title: string; description: string };
  tags: { name: string; description: string }[];
};

function entriesOf(document: Openapi): Entry[] {
  const described = new Map(
    Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((each) => [each.operationId, each as Described] as const),
    ),
  );
  return [...operationsOf(document as unknown as Record<string, unknown>)].map(([id, operation]) =>
    entryOf(id, operation, described.get(id)!),
  );
}

function entryOf(id: string, { method, path, idempotency }: Operation, described: Described): Entry {
  const values = (place: string): Value[] =>
    (described.parameters ?? [])
      .filter((each) => each.$ref === undefined && each.in === place)
      .map(({ name, required = false, description = '', example, schema }) => {
        const { examples = [], default: otherwise } = schema;
        const value = [example, schema.example, ...examples, otherwise, ...(schema.enum ?? []), ''].find(
          (each) => each !== undefined,
        );
        return { name, value: String(value), description, isEnabled: required };
      });
  const content = described.requestBody?.content['application/json'];
  const isJson = { name: 'Content-Type', value: 'application/json', description: '', isEnabled: true };
  const key = {
    name: 'Idempotency-Key',
    value: NEW_KEY,
    description: 'One key for one write.',
    isEnabled: true,
  };
  return {
    id,
    name: described.summary ?? id,
    tag: described.tags[0] ?? '',
    description: described.description ?? '',
    method,
    path,
    inPath: values('path').map((each) => ({ ...each, isEnabled: true })),
    query: values('query'),
    headers: [...(content ? [isJson] : []), ...(idempotency ? [key] : [])],
    ...(content && { body: JSON.stringify(content.example ?? {}, null, 2) }),
  };
}

/** The requests of each tag, in the order of the document. */
function folders(document: Openapi): { name: string; description: string; entries: Entry[] }[] {
  const entries = entriesOf(document);
  return document.tags
    .map((tag) => ({ ...tag, entries: entries.filter((each) => each.tag === tag.name) }))
    .filter((folder) => folder.entries.length > 0);
}

const toPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Returns a collection of Postman, format 2.1. */
export function postmanCollection(openapi: Record<string, unknown>): object {
  const document = openapi as unknown as Openapi;
  const parameter = ({ name, value, description, isEnabled }: Value): object => ({
    key: name,
    value,
    ...(description !== '' && { description }),
    ...(!isEnabled && { disabled: true }),
  });
  const item = ({ name, description, method, path, inPath, query, headers, body }: Entry): object => {
    const enabled = query.filter(({ isEnabled }) => isEnabled);
    const search = enabled.map((each) => `${each.name}=${each.value}`).join('&');
    const raw = `{{baseUrl}}${toPath(path)}${search && `?${search}`}`;
    return {
      name,
      request: {
        method,
        description,
        header: headers.map(parameter),
        url: {
          raw,
          host: ['{{baseUrl}}'],
          path: toPath(path).slice(1).split('/'),
          ...(query.length > 0 && { query: query.map(parameter) }),
          ...(inPath.length > 0 && { variable: inPath.map(parameter) }),
        },
        ...(body !== undefined && {
          body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } },
        }),
      },
      response: [],
    };
  };
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'x-api-key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: LOCAL_URL, type: 'string' },
      { key: 'apiKey', value: '', type: 'string' },
    ],
    item: folders(document).map(({ name, description, entries }) => ({
      name,
      description,
      item: entries.map(item),
    })),
  };
}

/** Returns the files of a Bruno collection, by path. */
export function brunoFiles(openapi: Record<string, unknown>): Record<string, string> {
  const document = openapi as unknown as Openapi;
  const files: Record<string, string> = {
    'bruno.json': `${JSON.stringify({ version: '1', name: document.info.title, type: 'collection' }, null, 2)}\n`,
    'collection.bru': brunoLang.jsonToCollectionBru({
      auth: { mode: 'apikey', apikey: { key: 'x-api-key', value: '{{apiKey}}', placement: 'header' } },
      docs: document.info.description,
    }),
    'environments/local.bru': brunoLang.envJsonToBruV2({
      variables: [
        { name: 'baseUrl', value: LOCAL_URL, enabled: true, secret: false },
        { name: 'apiKey', value: '', enabled: true, secret: true },
      ],
    }),
  };
  for (const { name, description, entries } of folders(document)) {
    files[`${name}/folder.bru`] = brunoLang.jsonToCollectionBru({ meta: { name }, docs: description });
    for (const [index, entry] of entries.entries())
      files[`${name}/${entry.id}.bru`] = brunoRequest(entry, index + 1);
  }
  return files;
}

function brunoRequest(entry: Entry, seq: number): string {
  const { name, method, path, inPath, query, headers, body, description } = entry;
  const parameter = (type: string) => (each: Value) => ({
    name: each.name,
    value: each.value,
    type,
    enabled: each.isEnabled,
  });
  const enabled = query.filter(({ isEnabled }) => isEnabled);
  const search = enabled.map((each) => `${each.name}=${each.value}`).join('&');
  return brunoLang.jsonToBruV2({
    meta: { name, type: 'http', seq },
    http: {
      method: method.toLowerCase(),
      url: `{{baseUrl}}${toPath(path)}${search && `?${search}`}`,
      body: body === undefined ? 'none' : 'json',
      auth: 'inherit',
    },
    params: [...query.map(parameter('query')), ...inPath.map(parameter('path'))],
    headers: headers.map((each) => ({ name: each.name, value: each.value, enabled: true })),
    ...(body !== undefined && { body: { json: body } }),
    docs: description,
  });
}
