import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { responseUnderWay } from './response-under-way';

const LOOK_EVERY_MS = 50;

/**
 * Ends the connections of a server that stops: what came on them is answered, each answer says that its connection
 * closes, and one that was promised to be kept is closed once it is idle. Without it a server waits for its keep-alive
 * clients until the deadline of the stop.
 */
export function drainConnections(fastify: FastifyInstance): void {
  const { server } = fastify;
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  fastify.addHook('preClose', (done) => {
    server.prependListener('request', (_, response: ServerResponse) => closeAfter(response));
    for (const socket of connections) closeAfter(responseUnderWay(socket));
    if (server.listening) closeIdleOnes(server);
    done();
  });
}

function closeAfter(response: ServerResponse | undefined): void {
  if (response && !response.headersSent) response.shouldKeepAlive = false;
}

function closeIdleOnes(server: Server): void {
  const looking = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
  server.once('close', () => clearInterval(looking));
}
