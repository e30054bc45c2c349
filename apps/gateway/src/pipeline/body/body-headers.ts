import type { IncomingMessage } from 'node:http';

/** Returns Content-Length, or undefined. The parser rejects invalid and repeated values. */
export function announcedBytes({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Returns true when a request announces a body. */
export function hasBody(request: Pick<IncomingMessage, 'headers'>): boolean {
  return isChunked(request) || (announcedBytes(request) ?? 0) > 0;
}

/** Returns true when the length of a body is not known before its end. */
export function isChunked(request: Pick<IncomingMessage, 'headers'>): boolean {
  return request.headers['transfer-encoding'] !== undefined;
}
