import { PROBLEM_CONTENT_TYPE, type Problem, REQUEST_ID_HEADER, problemBody } from '@plimsoll/contracts';
import type { FastifyReply } from 'fastify';

/** Sends a problem as the response. `path` may have a query, which is not repeated. */
export function sendProblem(reply: FastifyReply, problem: Problem, path: string, requestId: string): void {
  void reply
    .status(problem.status)
    .headers({ 'cache-control': 'no-store', ...problem.options.headers, [REQUEST_ID_HEADER]: requestId })
    .type(PROBLEM_CONTENT_TYPE)
    .send(problemBody(problem, path.split('?')[0] ?? '/', requestId));
}
