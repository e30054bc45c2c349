import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '@plimsoll/contracts';

/**
 * Creates a response on a socket that Node has removed from its HTTP code (an upgrade, an unreadable
 * request). It is written like any other, and the connection closes afterwards.
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
    // As Node does after each response of its own.
    process.nextTick(() => response.emit('close'));
  });
  return response;
}

/**
 * Fails a request whose body broke off, so that it receives a response and its connection closes.
 * @returns false when it is too late for that
 */
export function failBody(response: ServerResponse, problem: Problem): boolean {
  const { req } = response;
  if (response.headersSent || req.complete || req.listenerCount('error') === 0) return false;
  response.shouldKeepAlive = false;
  req.emit('error', problem);
  return true;
}
