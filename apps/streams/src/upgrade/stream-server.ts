import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { IDENTITY_HEADER, Problem, REQUEST_ID_HEADER } from '@plimsoll/contracts';
import { continueCorrelation, parseIdentityKeys, toProblem, verifyIdentity } from '@plimsoll/service-kit';
import { type ServerOptions, WebSocketServer } from 'ws';
import { StreamsConfig } from '../config';
import { Connections } from '../connection/connections';
import { type ConnectionContext, StreamConnection } from '../connection/stream-connection';
import { StreamSocket } from '../connection/stream-socket';
import { LIMITS } from '../limits';
import { LogFollower } from '../log/log-follower';
import { FanOut } from '../subscription/fan-out';
import { Snapshots } from '../subscription/snapshots';
import { type AdmittedUpgrade, authorizeUpgrade } from './authorize-upgrade';
import { refuseUpgrade } from './refuse-upgrade';

/** Looks over all connections at least this often. */
const SWEEP_MS = 1_000;
const DRAIN_POLL_MS = 10;

/** Turns upgrades of the HTTP server into connections, looks after them, and lets them go when the service stops. */
@Injectable()
export class StreamServer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('upgrade');
  private readonly keys;
  private readonly webSockets;
  private sweep: NodeJS.Timeout | undefined;
  private isDraining = false;

  constructor(
    private readonly config: StreamsConfig,
    private readonly adapters: HttpAdapterHost,
    private readonly log: LogFollower,
    private readonly connections: Connections,
    private readonly fanOut: FanOut,
    private readonly snapshots: Snapshots,
  ) {
    this.keys = parseIdentityKeys(config.IDENTITY_KEYS);
    // The published types of ws do not know the last two yet.
    const options: ServerOptions<typeof StreamSocket> & { maxFragments: number; closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      WebSocket: StreamSocket,
      maxPayload: LIMITS.inboundFrameBytes,
      maxFragments: LIMITS.inboundFragments,
      closeTimeout: config.CLOSE_DEADLINE_MS,
    };
    this.webSockets = new WebSocketServer(options);
  }

  onApplicationBootstrap(): void {
    const server = this.adapters.httpAdapter.getHttpServer() as Server;
    server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
    const sweepMs = Math.min(SWEEP_MS, this.config.HEARTBEAT_MS / 4);
    this.sweep = setInterval(() => {
      for (const connection of this.connections.all()) connection.tick();
    }, sweepMs).unref();
  }

  /** Clients are told to come back, to another instance, spread over a while. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isDraining = true;
    for (const connection of this.connections.all()) {
      connection.drain(Math.round(Math.random() * this.config.RECONNECT_SPREAD_MS));
    }
    const deadline = performance.now() + this.config.CLOSE_DEADLINE_MS;
    while (this.connections.all().length > 0 && performance.now() < deadline) await delay(DRAIN_POLL_MS);
    for (const connection of this.connections.all()) connection.terminate();
    clearInterval(this.sweep);
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    // Until ws takes the socket over, a client that goes away is nobody's error.
    const ignore = (): void => undefined;
    socket.on('error', ignore);
    try {
      const admitted = this.admit(path, request);
      this.webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        socket.off('error', ignore);
        this.connect(webSocket, admitted);
      });
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
    if (this.isDraining || !this.log.isCaughtUp) {
      throw new Problem('upstream_unavailable', 'This instance takes no connections now. Try again.', {
        headers: { 'retry-after': '1' },
      });
    }
    return admitted;
  }

  private connect(webSocket: StreamSocket, { stream, identity }: AdmittedUpgrade): void {
    // ws closes the socket after every error by itself.
    webSocket.on('error', (error) => this.logger.debug({ msg: 'socket error', err: error }));
    const context: ConnectionContext = {
      heartbeatMs: this.config.HEARTBEAT_MS,
      now: () => performance.now(),
      cursor: () => this.fanOut.read[stream].cursor,
      onSubscribed: (connection, subscription) => {
        if (stream === 'positions') void this.snapshots.send(connection, subscription);
      },
    };
    const connection = new StreamConnection(webSocket, stream, identity.accountId, context);
    if (this.connections.countOf(identity.accountId) >= LIMITS.connectionsPerAccount) {
      connection.close('connectionLimit', `${LIMITS.connectionsPerAccount} connections are open; close one`);
      return;
    }
    this.connections.add(connection);
    webSocket.once('close', () => this.connections.remove(connection));
  }
}
