import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '@plimsoll/contracts';
import { failBody } from '../response/response-on';
import { isChunked } from './body-headers';

/** The largest body in chunks of 256 bytes. */
const MAX_CHUNKS = 4_096;

const TOO_MANY_CHUNKS = new Problem(
  'invalid_request',
  `The body has more than ${MAX_CHUNKS} chunks. Send it in larger ones, or with a Content-Length.`,
);

/**
 * Bounds the work on a chunked body. Each chunk costs a call of the parser, also one of a single byte and in a body
 * that nothing reads. Ten clients without a key that sent such chunks delayed all others by seconds.
 *
 * - A body with too many chunks fails, and its connection is closed.
 * - A connection is closed after the response when the rest of a chunked body is still to come. Node would read it to
 *   the deadline of the request.
 */
export function limitChunks(request: IncomingMessage, response: ServerResponse): void {
  if (!isChunked(request)) return;
  const { socket } = request;
  const push = request.push.bind(request);
  let chunks = 0;
  // The parser passes each chunk to it. A listener of the data would begin to read the body.
  request.push = (chunk: unknown): boolean => {
    if (chunk !== null) chunks += 1;
    if (chunks <= MAX_CHUNKS) return push(chunk);
    if (chunks === MAX_CHUNKS + 1 && !failBody(response, TOO_MANY_CHUNKS)) socket.destroy();
    // The parser then stops to read the connection.
    return false;
  };
  response.on('finish', () => {
    if (!request.complete) socket.destroySoon();
  });
}
