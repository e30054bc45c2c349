import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { Problem } from '@plimsoll/contracts';

/** 1 MiB. */
export const MAX_BODY_BYTES = 1_048_576;

/** Bytes that one request buffers on each side of the counter. */
const BUFFERED_BYTES = 16_384;

const TOO_LARGE = new Problem('body_too_large', 'Send a body of at most 1 MiB.');

/** Returns Content-Length, or undefined. The parser rejects invalid and repeated values. */
export function announcedBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Returns true when a request announces a body. */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || (announcedBytes(request) ?? 0) > 0;
}

/**
 * Returns the body to stream to a service: null without one, the problem when its length is too large,
 * otherwise a counting stream that fails above 1 MiB. It never returns the request itself: when a service
 * fails, its client destroys the body, and with it the connection on which our client waits for the response.
 */
export function limitedBody(request: IncomingMessage): Transform | null | Problem {
  if (!hasBody(request)) return null;
  if ((announcedBytes(request) ?? 0) > MAX_BODY_BYTES) return TOO_LARGE;
  let bytes = 0;
  const counting = new Transform({
    // Node's default of 64 KiB is more than a request to a slow service should buffer.
    highWaterMark: BUFFERED_BYTES,
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) done(null, chunk);
      else done(TOO_LARGE);
    },
  });
  request.on('error', (error) => counting.destroy(error));
  // After a failure, the remaining body is read and dropped, so that the client reads the response.
  counting.on('close', () => request.unpipe(counting).resume());
  return request.pipe(counting);
}
