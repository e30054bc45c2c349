import { ENDPOINTS } from '@plimsoll/access';
import { ProblemBody, type ProblemCode, dtoInstance } from '@plimsoll/contracts';
import {
  type DtoClass,
  type Operation,
  declaredOperations,
  errorCodes,
  isOutsidePath,
  outsideErrorCodes,
} from '@plimsoll/openapi';
import { Value } from '@sinclair/typebox/value';
import { type ValidationError, validateSync } from 'class-validator';

/**
 * Returns the differences between a response and its operation, or an empty array. The process must have imported
 * the controller.
 * @param key `METHOD /path`, with `:name` for a parameter
 */
export function checkResponse(key: string, status: number, body: unknown): string[] {
  const operation = declaredOperations()[key];
  if (!operation) return [`no imported controller documents ${key}`];
  if (status >= 400) return problemViolations(key, operation, body);
  const response = operation.responses.find((each) => each.status === status);
  return response ? violationsOf(response.schema, body) : [`status ${status} is not declared for ${key}`];
}

function problemViolations(key: string, operation: Operation, body: unknown): string[] {
  const violations = [...Value.Errors(ProblemBody, body)].map(
    ({ path, message }) => `${path || '/'}: ${message}`,
  );
  if (violations.length > 0) return violations;
  const { code } = body as ProblemBody;
  return codesOf(key, operation).includes(code) ? [] : [`code ${code} is not declared for ${key}`];
}

function codesOf(key: string, operation: Operation): readonly ProblemCode[] {
  const [, path = ''] = key.split(' ');
  if (isOutsidePath(path)) return outsideErrorCodes(path, operation);
  const endpoint = ENDPOINTS.find((row) => `${row.method} ${row.path}` === key);
  return endpoint ? errorCodes(endpoint, operation) : [];
}

function violationsOf(dto: DtoClass | null, body: unknown): string[] {
  if (dto === null) return [];
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return ['/: the body is not an object'];
  return validateSync(dtoInstance(dto, body)).flatMap((error) => textsOf(error, ''));
}

function textsOf({ property, constraints = {}, children = [] }: ValidationError, above: string): string[] {
  const path = `${above}/${property}`;
  return [
    ...Object.values(constraints).map((message) => `${path}: ${message}`),
    ...children.flatMap((child) => textsOf(child, path)),
  ];
}
