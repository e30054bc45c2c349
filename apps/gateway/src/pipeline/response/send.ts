import { PROBLEM_CONTENT_TYPE, type Problem, problemBody } from '@plimsoll/contracts';
import { responseHeaders } from './response-headers';
import type { DecidedRequest } from './api-request';
import { pathOf } from '../admission/match-route';

/**
 * Sends JSON with the headers of every response. Does nothing after the client has disconnected or received a
 * response.
 */
export function sendJson(
  call: DecidedRequest,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  const { request, response, decision, correlation } = call;
  if (response.headersSent || response.destroyed) return;
  // The connection is closed after this response (chunk-limit.ts).
  if (request.headers['transfer-encoding'] !== undefined && !request.complete)
    response.shouldKeepAlive = false;
  const body = Buffer.from(JSON.stringify(value));
  const { 'Content-Type': contentType = 'application/json; charset=utf-8', ...others } = headers;
  response.writeHead(status, [
    ...responseHeaders(decision, correlation.requestId),
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

/** Responds with a problem. */
export function sendProblem(call: DecidedRequest, problem: Problem): void {
  const body = problemBody(problem, pathOf(call.request.url ?? '/'), call.correlation.requestId);
  sendJson(call, problem.status, body, { ...problem.options.headers, 'Content-Type': PROBLEM_CONTENT_TYPE });
}
