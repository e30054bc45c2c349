import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  type FieldError,
  IDENTITY_HEADER,
  type Identity,
  Problem,
  REQUEST_ID_HEADER,
  PROBLEM_CONTENT_TYPE,
  invalidRequest,
  problemBody,
  withUpgradeUrl,
} from '@plimsoll/contracts';
import { ServiceIdentity, continueCorrelation, toProblem, unknownParameters } from '@plimsoll/service-kit';
import { StreamsConfig } from '../config';
import { Clients } from './clients';
import { EndedAccess, type Ending } from '../log/ended-access';
import { LogFollower } from '../subscription/log-follower';
import { ConnectionCounts } from '../connection-counts/connection-counts';
import { Tickets } from '../tickets/tickets';
import { type AdmittedUpgrade, authorizeUpgrade } from './authorize-upgrade';
import type { OnConnected } from './joining';
import { SocketIoServer } from './socket-io-server';
import { WebSocketServer } from './web-socket-server';

/** How long an upgrade waits for the event of a higher tier. */
const TIER_EVENT_MS = 500;
const TIER_POLL_MS = 20;
/** Until a server of the protocol takes over the socket, a client that disconnects is not an error. */
const ignore = (): void => undefined;

/** Turns upgrades of the HTTP server into connections, or refuses them. */
@Injectable()
export class StreamServer implements OnApplicationBootstrap {
  private readonly logger = new Logger('upgrade');
  private readonly webSockets: WebSocketServer;
  private readonly socketIo: SocketIoServer;

  constructor(
    private readonly config: StreamsConfig,
    private readonly identity: ServiceIdentity,
    private readonly adapters: HttpAdapterHost,
    private readonly log: LogFollower,
    private readonly endedAccess: EndedAccess,
    private readonly clients: Clients,
    private readonly tickets: Tickets,
    private readonly slots: ConnectionCounts,
  ) {
    this.webSockets = new WebSocketServer((connection) => clients.left(connection));
    this.socketIo = new SocketIoServer(config.HEARTBEAT_MS, (connection) => clients.left(connection));
  }

  onApplicationBootstrap(): void {
    const server = this.adapters.httpAdapter.getHttpServer() as Server;
    server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { path, ticket, isSocketIo, unknown } = targetOf(request);
    socket.on('error', ignore);
    this.admit(path, ticket, unknown, request).then(
      async (admitted) => {
        const hasSlot = await this.slotOf(admitted.identity.accountId, socket);
        const server = isSocketIo ? this.socketIo : this.webSockets;
        server.upgrade(request, socket, head, this.onConnected(socket, admitted, hasSlot));
      },
      (error: unknown) => this.refuse(error, path, request, socket),
    );
  }

  /**
   * Separate from the upgrade: a function created there would keep its request in memory for as long as the
   * connection lasts.
   */
  private onConnected(socket: Duplex, { stream, identity }: AdmittedUpgrade, hasSlot: boolean): OnConnected {
    return (transport) => {
      socket.off('error', ignore);
      return this.clients.connect(transport, stream, identity, hasSlot);
    };
  }

  /** A connection within the account's limit, held until the socket is closed. */
  private async slotOf(accountId: string, socket: Duplex): Promise<boolean> {
    const hasSlot = await this.slots.acquire(accountId);
    if (!hasSlot) return false;
    if (socket.destroyed) this.slots.release(accountId);
    else socket.once('close', () => this.slots.release(accountId));
    return true;
  }

  private refuse(error: unknown, path: string, request: IncomingMessage, socket: Duplex): void {
    const problem = withUpgradeUrl(toProblem(error), this.config.UPGRADE_URL);
    const { requestId } = continueCorrelation(String(request.headers[REQUEST_ID_HEADER] ?? ''), undefined);
    if (problem.status === 500) this.logger.error({ err: error, path, requestId });
    refuseUpgrade(socket, problem, path, requestId);
  }

  private async admit(
    path: string,
    ticket: string | null,
    unknown: FieldError[],
    request: IncomingMessage,
  ): Promise<AdmittedUpgrade> {
    if (this.clients.isDraining || !this.log.isCaughtUp) {
      throw new Problem('upstream_unavailable', 'This instance accepts no connections now. Try again.', {
        headers: { 'retry-after': '1' },
      });
    }
    // Before the ticket is used.
    if (unknown.length > 0) throw invalidRequest(unknown);
    const header = request.headers[IDENTITY_HEADER];
    if (typeof header === 'string' || ticket === null) {
      const { method = '', url = '', headers } = request;
      const verified = this.identity.verify({ method, path: url, headers }, Date.now());
      const { requestId } = continueCorrelation(String(headers[REQUEST_ID_HEADER] ?? ''), undefined);
      return this.authorize(path, verified && { ...verified.identity, requestId });
    }
    const identity = await this.tickets.redeem(ticket);
    if (!identity) {
      throw new Problem('invalid_api_key', 'This ticket was used or has expired. Get another one.');
    }
    return this.authorize(path, identity);
  }

  private async authorize(path: string, identity: Identity | null): Promise<AdmittedUpgrade> {
    const admitted = authorizeUpgrade(path, identity);
    const ending = await this.endingOf(admitted);
    if (ending === 'forbidden') {
      throw new Problem('tier_required', 'The tier of this account no longer has streams. Raise it.', {
        requiredTier: 'enterprise',
      });
    }
    if (ending === 'sessionEnded') throw new Problem('not_signed_in', 'The session has ended. Log in again.');
    if (ending !== null) {
      throw new Problem('invalid_api_key', 'This key was revoked or has expired. Use another one.');
    }
    return admitted;
  }

  /** The gateway knows a higher tier a moment before its event arrives here. */
  private async endingOf({ identity, stream }: AdmittedUpgrade): Promise<Ending | null> {
    const deadlineMs = performance.now() + TIER_EVENT_MS;
    for (;;) {
      const ending = this.endedAccess.endingOf(identity, stream, Date.now());
      if (ending !== 'forbidden' || performance.now() > deadlineMs) return ending;
      await delay(TIER_POLL_MS);
    }
  }
}

const WEB_SOCKET_NAMES: ReadonlySet<string> = new Set(['ticket']);
/** Engine.IO adds its own parameters to those of the client. */
const SOCKET_IO_NAMES: ReadonlySet<string> = new Set([
  ...WEB_SOCKET_NAMES,
  'EIO',
  'transport',
  'sid',
  't',
  'b64',
  'j',
]);

/** Stock clients of Socket.IO append a slash to the path. */
function targetOf({ url = '/' }: IncomingMessage): {
  path: string;
  ticket: string | null;
  isSocketIo: boolean;
  unknown: FieldError[];
} {
  const [path = '/', query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  const isSocketIo = parameters.has('EIO');
  return {
    path: isSocketIo ? path.replace(/\/$/, '') : path,
    ticket: parameters.get('ticket'),
    isSocketIo,
    unknown: unknownParameters(
      Object.fromEntries(parameters),
      isSocketIo ? SOCKET_IO_NAMES : WEB_SOCKET_NAMES,
    ),
  };
}

/** Responds to an upgrade with a problem, in plain HTTP on the raw socket, and closes it. */
function refuseUpgrade(socket: Duplex, problem: Problem, path: string, requestId: string): void {
  const body = JSON.stringify(problemBody(problem, path, requestId));
  const headers: Record<string, string | number> = {
    'content-type': PROBLEM_CONTENT_TYPE,
    'content-length': Buffer.byteLength(body),
    [REQUEST_ID_HEADER]: requestId,
    ...problem.options.headers,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
}
