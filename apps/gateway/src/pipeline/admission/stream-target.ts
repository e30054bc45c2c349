import type { IncomingMessage } from 'node:http';

const TICKET = /^\/v1\/streams\/[a-z]+\/?\?(?:[^#]*&)?ticket=/;
const SOCKET_IO = /[?&]EIO=/;

const requestsUpgrade = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined;

/** Returns true for an upgrade with a ticket in its query. The stream service decides whether it is valid. */
export function showsTicket(request: IncomingMessage): boolean {
  return requestsUpgrade(request) && TICKET.test(request.url ?? '');
}

/**
 * Stock clients of Socket.IO append a slash to the path of an upgrade. It names the same stream without it.
 */
export function withoutSocketIoSlash(request: IncomingMessage, path: string): string {
  const isSocketIo = path.endsWith('/') && requestsUpgrade(request) && SOCKET_IO.test(request.url ?? '');
  return isSocketIo ? path.slice(0, -1) : path;
}
