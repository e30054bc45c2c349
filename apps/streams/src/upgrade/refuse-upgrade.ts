import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_CONTENT_TYPE, type Problem, REQUEST_ID_HEADER, problemBody } from '@plimsoll/contracts';

/** Responds to an upgrade with a problem, in plain HTTP on the raw socket, and closes it. */
export function refuseUpgrade(socket: Duplex, problem: Problem, path: string, requestId: string): void {
  const body = JSON.stringify(problemBody(problem, path, requestId));
  const headers: Record<string, string | number> = {
    'content-type': PROBLEM_CONTENT_TYPE,
    'content-length': Buffer.byteLength(body),
    [REQUEST_ID_HEADER]: requestId,
    ...problem.options.headers,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
}
