import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { Problem } from '@plimsoll/contracts';

/** 1 MiB (decisions.md, Errors). */
export const MAX_BODY_BYTES = 1_048_576;

/** What one request buffers on each side of the count. */
const BUFFERED_BYTES = 16_384;

const TOO_LARGE = new Problem('body_too_large', 'Send a body of at most 1 MiB.');

/** Content-Length; undefined: none. The parser takes no request where it is no number or stands twice. */
export function announcedBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** True when a request announces a body. */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || (announcedBytes(request) ?? 0) > 0;
}

/**
 * The body to stream to a service: null without one, the problem when it is declared too large, else a counting stream
 * that fails past 1 MiB. Never the request itself: the client of a service that fails destroys the body, and with it
 * the connection on which our client waits for the answer.
 */
export function limitedBody(request: IncomingMessage): Transform | null | Problem {
  if (!hasBody(request)) return null;
  if ((announcedBytes(request) ?? 0) > MAX_BODY_BYTES) return TOO_LARGE;
  let bytes = 0;
  const counting = new Transform({
    // Node's default of 64 KiB is more than a request whose service is slow should hold.
    highWaterMark: BUFFERED_BYTES,
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) done(null, chunk);
      else done(TOO_LARGE);
    },
  });
  request.on('error', (error) => counting.destroy(error));
  // What comes after a failure is read and thrown away, so that the client gets to read the answer.
  counting.on('close', () => request.unpipe(counting).resume());
  return request.pipe(counting);
}
