import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';

/**
 * Returns the lines of a head, without the empty one at its end.
 * @param headers flat list
 */
export function headLines(headers: readonly string[]): string {
  let text = '';
  for (let at = 0; at + 1 < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return text;
}

/**
 * Longer than load balancers keep idle connections (60 s), so that they close first and no request meets a
 * closed connection.
 */
export const KEEP_ALIVE_MS = 75_000;

const KEPT_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1_000}\r\n\r\n`;
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

/** Node stores the head there until it sends it with the first part of the body. */
type WithHead = ServerResponse & { _header: string | null };

/** Returns true when writePreparedHead may be used, because Node has nothing to decide about the response. */
export function mayPrepareHead(response: ServerResponse, status: number): boolean {
  const { shouldKeepAlive, req } = response;
  // A prepared head would replace the headers for PORTAL_ORIGIN.
  if (response.hasHeader('access-control-allow-origin')) return false;
  return shouldKeepAlive && req.method !== 'HEAD' && !WITHOUT_BODY.has(status) && takesPreparedHead();
}

/**
 * Like writeHead. Node inspects each of about twenty names to derive facts that are known here, which costs
 * more than the rest of a response.
 * @param lines all header lines, with Date and Content-Length and without Connection: our own, and those that
 * a parser accepted
 */
export function writePreparedHead(response: ServerResponse, status: number, lines: string): void {
  const message = STATUS_CODES[status] ?? 'unknown';
  response.statusCode = status;
  response.statusMessage = message;
  (response as WithHead)._header = `HTTP/1.1 ${status} ${message}\r\n${lines}${KEPT_ALIVE}`;
}

let isTaken: boolean | undefined;

/** Returns true when this version of Node sends a head that was stored in its own undocumented field. */
function takesPreparedHead(): boolean {
  isTaken ??= bytesOf((response) => writePreparedHead(response, 200, SAMPLE)) === EXPECTED;
  return isTaken;
}

const SAMPLE = headLines(['Date', 'today', 'Content-Length', '2']);
const EXPECTED = `HTTP/1.1 200 OK\r\n${SAMPLE}${KEPT_ALIVE}ok`;

/** Returns the bytes of a response whose head `head` writes. */
function bytesOf(head: (response: ServerResponse) => void): string {
  const written: Buffer[] = [];
  const socket = new Writable({
    write: (chunk: Buffer, _, done) => {
      written.push(chunk);
      done();
    },
  });
  const request = Object.assign(new IncomingMessage(new Socket()), {
    method: 'GET',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  });
  const response = new ServerResponse(request);
  response.assignSocket(socket as Socket);
  head(response);
  response.end('ok', 'latin1');
  return Buffer.concat(written).toString('latin1');
}
