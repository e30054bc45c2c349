import { ENDPOINTS } from '@plimsoll/access';
import { ProblemBody } from '@plimsoll/contracts';
import { Value } from '@sinclair/typebox/value';
import { operationOf } from './document';
import { errorCodes } from './problems';

/**
 * What an answer has that the document does not say; empty when it is as described.
 * @param key `METHOD /v1/path`, as in ENDPOINTS
 */
export function checkAnswer(key: string, status: number, body: unknown): string[] {
  const endpoint = ENDPOINTS.find(({ method, path }) => `${method} ${path}` === key);
  if (!endpoint) return [`${key} is not in ENDPOINTS`];
  const operation = operationOf(endpoint);
  if (status >= 400) {
    const violations = violationsOf(ProblemBody, body);
    if (violations.length > 0) return violations;
    const { code } = body as ProblemBody;
    return errorCodes(endpoint, operation).includes(code) ? [] : [`code ${code} is not declared for ${key}`];
  }
  const answer = operation.answers.find((each) => each.status === status);
  if (!answer) return [`status ${status} is not declared for ${key}`];
  return answer.schema ? violationsOf(answer.schema, body) : [];
}

function violationsOf(schema: Parameters<typeof Value.Errors>[0], body: unknown): string[] {
  return [...Value.Errors(schema, body)].map(({ path, message }) => `${path || '/'}: ${message}`);
}
