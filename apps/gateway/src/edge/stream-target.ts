import type { IncomingMessage } from 'node:http';

const TICKET = /^\/v1\/streams\/[a-z]+\/?\?(?:[^#]*&)?ticket=/;
const SOCKET_IO = /[?&]EIO=/;

const asksForUpgrade = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined;

/** True for an upgrade that shows a ticket in its query: whether it is good the service of the stream knows. */
export function showsTicket(request: IncomingMessage): boolean {
  return asksForUpgrade(request) && TICKET.test(request.url ?? '');
}

/** Stock clients of Socket.IO put a slash behind the path of an upgrade; it names the same stream without it. */
export function withoutSocketIoSlash(request: IncomingMessage, path: string): string {
  const isSocketIo = path.endsWith('/') && asksForUpgrade(request) && SOCKET_IO.test(request.url ?? '');
  return isSocketIo ? path.slice(0, -1) : path;
}
