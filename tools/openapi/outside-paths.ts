import { PROBLEMS, PROBLEM_CONTENT_TYPE, type ProblemCode } from '@plimsoll/contracts';
import {
  type Operation,
  type Operations,
  type SuccessResponse,
  isOutsidePath,
  outsideErrorCodes,
} from '@plimsoll/openapi';
import type { Components, Json } from './components';
import { problemSchema } from './problems';
import { parametersOf, requestBody } from './request-parts';

const HEADERS = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

/** Returns the path items outside of /v1: those of the account API, and those for everyone. They have limits and headers of their own. */
export function outsidePaths(operations: Operations, components: Components): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const [key, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = key.split(' ');
    if (!isOutsidePath(path)) continue;
    const item = (paths[path.replace(/:(\w+)/g, '{$1}')] ??= {});
    item[method.toLowerCase()] = describe(path, operation, components);
  }
  return paths;
}

function describe(path: string, operation: Operation, components: Components): Json {
  const { operationId, tag, summary, description, body, bodyExample, signedIn } = operation;
  const codes = outsideErrorCodes(path, operation);
  const problems = [...new Set(codes.map((code) => PROBLEMS[code].status))].map((status) => [
    String(status),
    problemResponse(
      codes.filter((code) => PROBLEMS[code].status === status),
      operationId,
      components,
    ),
  ]);
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: signedIn ? [{ Session: [] }] : [],
    'x-error-codes': codes,
    parameters: parametersOf(operation, components),
    ...(body && { requestBody: requestBody(body, bodyExample, components) }),
    responses: {
      ...Object.fromEntries(operation.responses.map((response) => success(response, components))),
      ...(Object.fromEntries(problems) as Json),
    },
  };
}

function success(response: SuccessResponse, components: Components): [string, Json] {
  const { status, description } = response;
  const content = components.contentOf(response);
  return [String(status), { description, headers: HEADERS, ...(content && { content }) }];
}

function problemResponse(codes: readonly ProblemCode[], operationId: string, components: Components): Json {
  const [first] = codes;
  const { status } = PROBLEMS[first ?? 'internal'];
  const mayWait = status === 429 || status === 503;
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: {
      ...HEADERS,
      ...(mayWait && { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }),
    },
    content: { [PROBLEM_CONTENT_TYPE]: { schema: problemSchema(codes, components, operationId) } },
  };
}
