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
