import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { IDENTITY_HEADER, Problem, REQUEST_ID_HEADER } from '@plimsoll/contracts';
import { continueCorrelation, parseIdentityKeys, toProblem, verifyIdentity } from '@plimsoll/service-kit';
import { StreamsConfig } from '../config';
import { Clients } from '../connection/clients';
import type { StreamConnection } from '../connection/stream-connection';
import type { Transport } from '../connection/transport';
import { LogFollower } from '../log/log-follower';
import { type AdmittedUpgrade, authorizeUpgrade } from './authorize-upgrade';
import { refuseUpgrade } from './refuse-upgrade';
import { SocketIoServer } from './socket-io-server';
import { WebSocketServer } from './web-socket-server';

const SOCKET_IO_QUERY = /[?&]EIO=/;

/** Turns upgrades of the HTTP server into connections, or refuses them. */
@Injectable()
export class StreamServer implements OnApplicationBootstrap {
  private readonly logger = new Logger('upgrade');
  private readonly keys;
  private readonly webSockets = new WebSocketServer();
  private readonly socketIo: SocketIoServer;

  constructor(
    config: StreamsConfig,
    private readonly adapters: HttpAdapterHost,
    private readonly log: LogFollower,
    private readonly clients: Clients,
  ) {
    this.keys = parseIdentityKeys(config.IDENTITY_KEYS);
    this.socketIo = new SocketIoServer(config.HEARTBEAT_MS);
  }

  onApplicationBootstrap(): void {
    const server = this.adapters.httpAdapter.getHttpServer() as Server;
    server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const isSocketIo = SOCKET_IO_QUERY.test(request.url ?? '');
    const path = pathOf(request.url ?? '/', isSocketIo);
    // Until a server of the protocol takes the socket over, a client that goes away is nobody's error.
    const ignore = (): void => undefined;
    socket.on('error', ignore);
    try {
      const { stream, identity } = this.admit(path, request);
      const onConnected = (transport: Transport): StreamConnection => {
        socket.off('error', ignore);
        return this.clients.connect(transport, stream, identity);
      };
      const onLeft = (connection: StreamConnection): void => this.clients.left(connection);
      const server = isSocketIo ? this.socketIo : this.webSockets;
      server.upgrade(request, socket, head, { onConnected, onLeft });
    } catch (error) {
      const problem = toProblem(error);
      const { requestId } = continueCorrelation(String(request.headers[REQUEST_ID_HEADER] ?? ''), undefined);
      if (problem.status === 500) this.logger.error({ err: error, path, requestId });
      refuseUpgrade(socket, problem, path, requestId);
    }
  }

  private admit(path: string, request: IncomingMessage): AdmittedUpgrade {
    const header = request.headers[IDENTITY_HEADER];
    const identity = verifyIdentity(
      typeof header === 'string' ? header : undefined,
      this.keys,
      Math.floor(Date.now() / 1000),
    );
    const admitted = authorizeUpgrade(path, identity);
    if (this.clients.isDraining || !this.log.isCaughtUp) {
      throw new Problem('upstream_unavailable', 'This instance takes no connections now. Try again.', {
        headers: { 'retry-after': '1' },
      });
    }
    return admitted;
  }
}

/** Stock clients of Socket.IO put a slash behind the path. */
function pathOf(url: string, isSocketIo: boolean): string {
  const path = url.split('?')[0] ?? '/';
  return isSocketIo ? path.replace(/\/$/, '') : path;
}
