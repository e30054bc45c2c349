import type { IncomingMessage } from 'node:http';

const SOCKET_IO = /[?&]EIO=/;

/**
 * Returns the path of an endpoint. Stock clients of Socket.IO append a slash to the path of an upgrade. It names the same
 * stream without it.
 */
export function withoutSocketIoSlash({ headers, url = '' }: IncomingMessage, path: string): string {
  const isSocketIo = path.endsWith('/') && headers.upgrade !== undefined && SOCKET_IO.test(url);
  return isSocketIo ? path.slice(0, -1) : path;
}
