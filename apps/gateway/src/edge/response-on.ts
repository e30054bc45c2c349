import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A response on a socket that Node has taken out of its HTTP machinery (an upgrade, a request it could not read): it is
 * written like any other, and the connection is closed after it.
 */
export function responseOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  socket.on('error', () => response.destroy());
  response.assignSocket(socket);
  socket.on('drain', () => response.emit('drain'));
  response.on('finish', () => {
    response.detachSocket(socket);
    socket.end();
  });
  return response;
}

/** True while an earlier request of the connection is being answered: nothing else may be written to it. */
export function isAnswering(socket: Socket): boolean {
  // Node keeps the response under this name, and throws when another one is assigned.
  return Boolean((socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage);
}
