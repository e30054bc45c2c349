import { PROBLEM_CONTENT_TYPE, type Problem, problemBody } from '@plimsoll/contracts';
import { answerHeaders } from './answer-headers';
import type { DecidedCall } from './call';
import { pathOf } from './match-route';

/** Answers with JSON and the headers that every answer has. Does nothing when the client is gone or already answered. */
export function sendJson(
  call: DecidedCall,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  const { request, response, decision, correlation } = call;
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(JSON.stringify(value));
  const { 'Content-Type': contentType = 'application/json; charset=utf-8', ...others } = headers;
  response.writeHead(status, [
    ...answerHeaders(decision, correlation.requestId),
    'Content-Type',
    contentType,
    'Content-Length',
    String(body.length),
    'Cache-Control',
    'no-store',
    ...Object.entries(others).flat(),
  ]);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Answers with a problem. */
export function sendProblem(call: DecidedCall, problem: Problem): void {
  const body = problemBody(problem, pathOf(call.request.url ?? '/'), call.correlation.requestId);
  sendJson(call, problem.status, body, { ...problem.options.headers, 'Content-Type': PROBLEM_CONTENT_TYPE });
}
