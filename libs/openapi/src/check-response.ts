import { ENDPOINTS } from '@plimsoll/access';
import { ProblemBody, type ProblemCode } from '@plimsoll/contracts';
import { Value } from '@sinclair/typebox/value';
import { accountErrorCodes } from './account-paths';
import { operationOf } from './document';
import type { Operation } from './operation';
import { ACCOUNT_OPERATIONS } from './operations';
import { errorCodes } from './problems';

/**
 * Returns the differences between a response and the document, or an empty array.
 * @param key `METHOD /v1/path`, as in ENDPOINTS
 */
export function checkResponse(key: string, status: number, body: unknown): string[] {
  const endpoint = ENDPOINTS.find(({ method, path }) => `${method} ${path}` === key);
  if (!endpoint) return [`${key} is not in ENDPOINTS`];
  const operation = operationOf(endpoint);
  return check(key, operation, errorCodes(endpoint, operation), status, body);
}

/**
 * The same for a route of the account API.
 * @param key `METHOD /account/v1/path`, as in ACCOUNT_OPERATIONS
 */
export function checkAccountResponse(key: string, status: number, body: unknown): string[] {
  const operation = ACCOUNT_OPERATIONS[key];
  if (!operation) return [`${key} is not in ACCOUNT_OPERATIONS`];
  return check(key, operation, accountErrorCodes(operation), status, body);
}

function check(
  key: string,
  operation: Operation,
  codes: readonly ProblemCode[],
  status: number,
  body: unknown,
): string[] {
  if (status >= 400) {
    const violations = violationsOf(ProblemBody, body);
    if (violations.length > 0) return violations;
    const { code } = body as ProblemBody;
    return codes.includes(code) ? [] : [`code ${code} is not declared for ${key}`];
  }
  const response = operation.responses.find((each) => each.status === status);
  if (!response) return [`status ${status} is not declared for ${key}`];
  return response.schema ? violationsOf(response.schema, body) : [];
}

function violationsOf(schema: Parameters<typeof Value.Errors>[0], body: unknown): string[] {
  return [...Value.Errors(schema, body)].map(({ path, message }) => `${path || '/'}: ${message}`);
}
