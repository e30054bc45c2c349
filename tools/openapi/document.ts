import { ENDPOINTS, type Endpoint } from '@plimsoll/access';
import { fieldsWithNames, listShapeOf, responseSchema } from '@plimsoll/contracts';
import {
  type Operation,
  type Operations,
  type SuccessResponse,
  TAGS,
  declaredOperations,
  errorCodes,
} from '@plimsoll/openapi';
import { Components, type Json } from './components';
import { HEADERS, type HeaderName, REQUEST_HEADERS, headerRefs } from './headers';
import { problemComponents, problemResponses } from './problems';
import { outsidePaths } from './outside-paths';
import { parametersOf, requestBody } from './request-parts';
import { webhooksSection } from './webhooks';

/** Rules of every request: the Markdown text at the top of the document. */
const DESCRIPTION = `Risk intelligence on lending positions of wallets: positions with exact figures, alerts, signed webhooks and streams.

## Keys, tiers and scopes
Send an API key in \`x-api-key\`, or as \`Authorization: Bearer <key>\`. Each operation names its lowest tier (\`x-tier\`: open, pro, business, enterprise; each includes the ones before) and the scope that the key needs (\`x-scope\`; null: any valid key). A revoked key stops working within a second. A signed-in browser may use the API from pages of this origin without a key. It has its account’s tier, every scope, and a separate window: 60 requests a minute on open, 120 on pro, 300 on business and 1,000 on enterprise.

## Limits
Limits apply to an account with all its keys: requests per minute, and requests per UTC day below the enterprise tier. The minute is a fixed window of 60 seconds at an offset of the account. It admits exactly the number of requests in \`X-RateLimit-Limit\`. At \`X-RateLimit-Reset\` the full limit is available again. Around the edge of two windows, up to twice the number may pass within a minute. A refused request (429) does not count. Every other response to a valid key counts, including 304 and errors. Requests without a valid key count toward the client's address, with the limits of the open tier.

## Errors
Every error is \`application/problem+json\` (RFC 9457). Branch on \`code\`: codes are stable, texts are not. \`errors\` names the invalid fields of a 400, with one entry for each mistake. \`requiredTier\` is the lowest tier that permits a refused request, and \`upgradeUrl\` the page where an account gets it. A record of another account is 404, like a record that does not exist. Values above a cap are rejected and never reduced. Unknown fields of a body and unknown query parameters are rejected, with the nearest known name. When something fails on our side, report \`requestId\` (also in \`X-Request-Id\`). The service keeps your own \`X-Request-Id\` (1–128 characters of A–Z a–z 0–9 . _ -).

## Requests
Bodies are JSON (\`application/json\`), at most 1 MiB. The response to HEAD is that of GET without the body.

## Idempotency
POSTs that create something accept an \`Idempotency-Key\`. The same key and body within 24 hours return the first response with \`Idempotency-Replayed: true\`. The same key with another body is 409 \`idempotency_mismatch\`.

## Lists
Lists accept \`limit\` (1–200, default 50) and \`cursor\`. Responses contain \`nextCursor\`, which is null on the last page. A cursor is opaque and valid for its list only. The newest item is first; for positions, the lowest health factor. \`count\` is the number of items in the response.

With \`Accept: text/csv\`, a list is CSV (RFC 4180). The header \`Link\` names the next page. An apostrophe before a text that a spreadsheet would take for a formula makes it harmless.

## Figures
USD amounts are doubles. Exact whole numbers stand beside them as decimal digits (\`…Raw\`). Timestamps are ISO 8601 in UTC with milliseconds. \`healthFactor\` is null without debt, because JSON has no infinity, and where the contract never liquidates the debt. Responses about positions name their block (\`asOfBlock\`, \`blockHash\`) and the parts that could not be read (\`unreadable\`).

## Caching
GET responses carry an \`ETag\`. \`If-None-Match\` returns 304 while nothing has changed.

## Changes
Responses may gain fields. Existing fields keep their name and type. \`Deprecation\` and \`Sunset\` headers announce a removal at least 180 days before.`;

/**
 * Returns the OpenAPI 3.1 document of ENDPOINTS, of the account API and of what everyone may read.
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
  Object.assign(paths, outsidePaths(operations, components));
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
      ...parametersOf(operation, components),
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

function csvHeaders({ schema }: SuccessResponse): HeaderName[] {
  if (schema === null || listShapeOf(schema) === null) return [];
  const properties = responseSchema(schema)['properties'] as Json;
  return 'unreadable' in properties || 'unknown' in properties ? ['Link', 'X-Unreadable'] : ['Link'];
}

/** Whether a field of the request, or its path, is a wallet that may have an ENS name. */
function takesNames({ path = {}, query, body }: Operation): boolean {
  const classes = [query, body].filter((each) => each !== undefined);
  return 'address' in path || classes.some((dto) => fieldsWithNames(dto.prototype as object).length > 0);
}

function successResponses(endpoint: Endpoint, operation: Operation, components: Components): Json {
  const conditional = isConditional(endpoint);
  const shared: HeaderName[] = [
    ...(conditional ? (['ETag'] as const) : []),
    ...(operation.idempotent ? (['Idempotency-Replayed'] as const) : []),
    ...(takesNames(operation) ? (['Resolved-Names'] as const) : []),
  ];
  const headers = headerRefs(...shared);
  const own = operation.responses.map((response) => {
    const { status, description, headers: more = [] } = response;
    const content = components.contentOf(response);
    return [
      String(status),
      {
        description,
        headers: headerRefs(...shared, ...csvHeaders(response), ...more),
        ...(content && { content }),
      },
    ];
  });
  return {
    ...Object.fromEntries(own),
    ...(conditional && { '304': { description: 'The response of If-None-Match has not changed.', headers } }),
  };
}
