import { IncomingMessage, STATUS_CODES, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { headLines } from './head-lines';
import { KEEP_ALIVE_MS } from './keep-alive';

const KEPT_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1_000}\r\n\r\n`;
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

/** Where Node keeps the head that goes out with the first piece of the body. */
type WithHead = ServerResponse & { _header: string | null };

/** True when writePreparedHead may be used: nothing about the answer is for Node to work out. */
export function mayPrepareHead({ shouldKeepAlive, req }: ServerResponse, status: number): boolean {
  return shouldKeepAlive && req.method !== 'HEAD' && !WITHOUT_BODY.has(status) && takesPreparedHead();
}

/**
 * As writeHead: Node looks at each of some twenty names to learn what is known here, which costs more than all else
 * about an answer.
 * @param lines of all headers, with Date and Content-Length, without Connection: our own, and what a parser let pass
 */
export function writePreparedHead(response: ServerResponse, status: number, lines: string): void {
  const message = STATUS_CODES[status] ?? 'unknown';
  response.statusCode = status;
  response.statusMessage = message;
  (response as WithHead)._header = `HTTP/1.1 ${status} ${message}\r\n${lines}${KEPT_ALIVE}`;
}

let isTaken: boolean | undefined;

/** True when this Node sends a head that was put where it keeps its own: the field is in no document. */
function takesPreparedHead(): boolean {
  isTaken ??= bytesOf((response) => writePreparedHead(response, 200, SAMPLE)) === EXPECTED;
  return isTaken;
}

const SAMPLE = headLines(['Date', 'today', 'Content-Length', '2']);
const EXPECTED = `HTTP/1.1 200 OK\r\n${SAMPLE}${KEPT_ALIVE}ok`;

/** What a response writes whose head is made by `head`. */
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
