import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Health } from '../health/health';

const POLL_EVERY_MS = 50;

/**
 * Ends the connections of a stopping server. From the drain on, each response closes its connection, so that
 * clients use another instance. When the server takes no new connections, idle ones are closed, including
 * those that it had promised to keep. Without this, a server waits for its keep-alive clients until the
 * deadline of the stop.
 */
export function drainConnections(fastify: FastifyInstance, health: Health): void {
  const { server } = fastify;
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  health.onDrain(() => {
    server.prependListener('request', (_, response: ServerResponse) => closeAfter(response));
    for (const socket of connections) closeAfter(responseInProgress(socket));
  });
  fastify.addHook('preClose', (done) => {
    health.drain();
    if (server.listening) closeIdleOnes(server);
    done();
  });
}

function closeAfter(response: ServerResponse | undefined): void {
  if (response && !response.headersSent) response.shouldKeepAlive = false;
}

function closeIdleOnes(server: Server): void {
  const looking = setInterval(() => server.closeIdleConnections(), POLL_EVERY_MS);
  server.once('close', () => clearInterval(looking));
}

/** Returns the response in progress on a connection, or undefined. */
export function responseInProgress(socket: Socket): ServerResponse | undefined {
  // Node stores the response under this name and throws when another one is assigned.
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}
