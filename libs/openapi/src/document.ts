import { ENDPOINTS, type Endpoint } from '@plimsoll/access';
import { Components, type Json } from './components';
import { DESCRIPTION } from './description';
import { HEADERS, REQUEST_HEADERS, headerRefs } from './headers';
import { type Answer, type DtoClass, type Operation, type Operations, TAGS } from './operation';
import { OPERATIONS } from './operations';
import { errorCodes, problemComponents, problemResponses } from './problems';
import { requestSchema } from './request-schema';
import { webhooksSection } from './webhooks';

/**
 * The OpenAPI 3.1 document of everything in ENDPOINTS.
 * @param version major.minor.patch of the service
 * @throws when a row of ENDPOINTS has no operation
 */
export function buildOpenApiDocument(version: string, operations: Operations = OPERATIONS): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const endpoint of ENDPOINTS) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const operation = operationOf(endpoint, operations);
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = describe(endpoint, operation, components);
  }
  const webhooks = webhooksSection(components);
  const responses = problemComponents(components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plimsoll API',
      version,
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The gateway that serves this document' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ ApiKey: [] }, { Bearer: [] }],
    paths,
    webhooks,
    components: {
      schemas: components.all(),
      responses,
      headers: HEADERS,
      parameters: REQUEST_HEADERS,
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'An API key of the account.',
        },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The same API key as a bearer token.' },
      },
    },
  };
}

/** The operation of a row. */
export function operationOf({ method, path }: Endpoint, operations: Operations = OPERATIONS): Operation {
  const operation = operations[`${method} ${path}`];
  if (!operation)
    throw new Error(`${method} ${path} has no operation: add it to libs/openapi/src/operations`);
  return operation;
}

function describe(endpoint: Endpoint, operation: Operation, components: Components): Json {
  const { operationId, tag, summary, description, body, bodyExample } = operation;
  const codes = errorCodes(endpoint, operation);
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    'x-tier': endpoint.tier,
    'x-scope': endpoint.scope,
    'x-error-codes': codes,
    parameters: parametersOf(endpoint, operation),
    ...(body && { requestBody: requestBody(body, bodyExample, components) }),
    responses: { ...answers(endpoint, operation, components), ...problemResponses(codes) },
  };
}

function parametersOf(endpoint: Endpoint, { path = {}, query, idempotent }: Operation): Json[] {
  const inPath = Object.entries(path).map(([name, schema]) => {
    const { description, ...plain } = JSON.parse(JSON.stringify(schema)) as Json;
    return { name, in: 'path', required: true, description, schema: plain };
  });
  return [
    ...inPath,
    ...(query ? queryParameters(query) : []),
    ...(idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(isConditional(endpoint) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
}

function queryParameters(query: DtoClass): Json[] {
  const { properties, required = [] } = requestSchema(query);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }));
}

function requestBody(body: DtoClass, example: object | undefined, components: Components): Json {
  const { required = [] } = requestSchema(body);
  return {
    required: required.length > 0,
    content: { 'application/json': { schema: components.ofBody(body), example } },
  };
}

/** What a service answers to a GET has an ETag; the gateway's own status has none, it is new each time. */
function isConditional({ method, service, upgrade }: Endpoint): boolean {
  return method === 'GET' && service !== 'gateway' && !upgrade;
}

function answers(endpoint: Endpoint, operation: Operation, components: Components): Json {
  const conditional = isConditional(endpoint);
  const headers = headerRefs(
    ...(conditional ? (['ETag'] as const) : []),
    ...(operation.idempotent ? (['Idempotency-Replayed'] as const) : []),
  );
  const own = operation.answers.map(({ status, description, schema, example }: Answer) => [
    String(status),
    {
      description,
      headers,
      ...(schema && {
        content: { 'application/json': { schema: components.ofAnswer(schema), example } },
      }),
    },
  ]);
  return {
    ...Object.fromEntries(own),
    ...(conditional && { '304': { description: 'Still the answer of If-None-Match.', headers } }),
  };
}
