import { ENDPOINTS, type Endpoint } from '@plimsoll/access';
import { type Operation, type Operations, TAGS, declaredOperations, errorCodes } from '@plimsoll/openapi';
import { accountPaths } from './account-paths';
import { Components, type Json } from './components';
import { DESCRIPTION } from './description';
import { HEADERS, type HeaderName, REQUEST_HEADERS, headerRefs } from './headers';
import { problemComponents, problemResponses } from './problems';
import { parametersOf, requestBody } from './request-parts';
import { webhooksSection } from './webhooks';

/**
 * Returns the OpenAPI 3.1 document of ENDPOINTS and of the account API.
 * @param version major.minor.patch of the service
 * @param operations those of the controllers that this process has imported
 * @throws when a row of ENDPOINTS has no operation
 */
export function buildOpenApiDocument(version: string, operations: Operations = declaredOperations()): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const endpoint of ENDPOINTS) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const operation = operationOf(endpoint, operations);
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = describe(endpoint, operation, components);
  }
  Object.assign(paths, accountPaths(operations, components));
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
    security: [{ ApiKey: [] }, { Bearer: [] }, { Session: [] }],
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
        Session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-plimsoll_session',
          description:
            'Cookie of POST /account/v1/log-in, for pages of this origin only. On the loopback over http it has no `__Host-` prefix.',
        },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The same API key as a bearer token.' },
      },
    },
  };
}

function operationOf({ method, path }: Endpoint, operations: Operations): Operation {
  const operation = operations[`${method} ${path}`];
  if (!operation) throw new Error(`${method} ${path} has no operation: its handler needs @Documented`);
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
    parameters: [
      ...parametersOf(operation),
      ...(operation.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(isConditional(endpoint) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ],
    ...(body && { requestBody: requestBody(body, bodyExample, components) }),
    responses: { ...successResponses(endpoint, operation, components), ...problemResponses(codes) },
  };
}

/**
 * A GET that a service handles has an ETag. The gateway's own status has none, because it changes each time.
 */
function isConditional({ method, service, upgrade }: Endpoint): boolean {
  return method === 'GET' && service !== 'gateway' && !upgrade;
}

function successResponses(endpoint: Endpoint, operation: Operation, components: Components): Json {
  const conditional = isConditional(endpoint);
  const shared: HeaderName[] = [
    ...(conditional ? (['ETag'] as const) : []),
    ...(operation.idempotent ? (['Idempotency-Replayed'] as const) : []),
  ];
  const headers = headerRefs(...shared);
  const own = operation.responses.map((response) => {
    const { status, description, headers: more = [] } = response;
    const content = components.contentOf(response);
    return [
      String(status),
      { description, headers: headerRefs(...shared, ...more), ...(content && { content }) },
    ];
  });
  return {
    ...Object.fromEntries(own),
    ...(conditional && { '304': { description: 'The response of If-None-Match has not changed.', headers } }),
  };
}
