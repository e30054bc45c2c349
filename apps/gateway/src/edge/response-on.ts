import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '@plimsoll/contracts';

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

/**
 * Lets a call fail whose body went wrong on its way in, so that it is answered, and its connection closed.
 * @returns false when it is too late for that
 */
export function failBody(response: ServerResponse, problem: Problem): boolean {
  const { req } = response;
  if (response.headersSent || req.complete || req.listenerCount('error') === 0) return false;
  response.shouldKeepAlive = false;
  req.emit('error', problem);
  return true;
}
