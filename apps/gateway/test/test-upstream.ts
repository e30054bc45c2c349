import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type ServerOptions, Server as TlsServer, createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { SERVICES } from '@plimsoll/access';
import type { Identity } from '@plimsoll/contracts';
import { READINESS_PATH, type ServiceIdentity } from '@plimsoll/service-kit';
import { testServiceIdentity } from '@plimsoll/testing';
import { WebSocketServer } from 'ws';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The request as the default handler describes it in its response. */
export interface ReceivedRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  identity: Omit<Identity, 'requestId'> | null;
  bodyBytes: number;
}

/**
 * Takes the place of services: returns the request that it received, or does what a test needs. Its streams
 * send back the messages that they receive.
 */
export class TestUpstream {
  readonly sockets = new WebSocketServer({ noServer: true });
  handler: Handler;
  isReady = true;
  /** Handles an upgrade itself when set. */
  onUpgrade?: (socket: Duplex) => void;
  lastUpgrade?: { identity: Omit<Identity, 'requestId'> | null; headers: IncomingMessage['headers'] };
  private readonly connections = new Set<Duplex>();
  private readonly server;
  /** It takes the place of all of them. */
  private readonly services: readonly ServiceIdentity[];

  /**
   * @param identityKeys absent: it knows no identity
   * @param tls it serves https with these options
   */
  constructor(
    identityKeys?: string,
    private readonly tls?: ServerOptions,
  ) {
    this.services =
      identityKeys === undefined ? [] : SERVICES.map((name) => testServiceIdentity(identityKeys, name));
    const handle: Handler = (request, response) => this.handle(request, response);
    this.server = tls ? createTlsServer(tls, handle) : createServer(handle);
    this.handler = this.echo;
    this.server.on('connection', (connection) => {
      this.connections.add(connection);
      connection.on('close', () => this.connections.delete(connection));
    });
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.lastUpgrade = { identity: this.identityOf(request), headers: request.headers };
      if (this.onUpgrade) this.onUpgrade(socket);
      else this.sockets.handleUpgrade(request, socket, head, (client) => this.welcome(client));
    });
  }

  /** Responds with a Seen. */
  readonly echo: Handler = (request, response) => {
    let bodyBytes = 0;
    request.on('error', () => response.destroy());
    request.on('data', (chunk: Buffer) => (bodyBytes += chunk.length));
    request.on('end', () => {
      const seen: ReceivedRequest = {
        method: request.method ?? '',
        target: request.url ?? '',
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ),
        identity: this.identityOf(request),
        bodyBytes,
      };
      response.writeHead(200, {
        'content-type': 'application/json',
        'x-request-id': 'not-this',
        etag: '"1"',
      });
      response.end(JSON.stringify(seen));
    });
  };

  /** @returns its origin */
  async start(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    return `${this.tls ? 'https' : 'http'}://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Changes what the server requires of new connections. */
  setTls(options: ServerOptions): void {
    if (this.server instanceof TlsServer) this.server.setSecureContext({ ...this.tls, ...options });
  }

  async stop(): Promise<void> {
    for (const connection of this.connections) connection.destroy();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    if (request.url !== READINESS_PATH) return this.handler(request, response);
    const status = this.isReady ? 'ready' : 'not_ready';
    response.writeHead(this.isReady ? 200 : 503).end(JSON.stringify({ status }));
  }

  private identityOf({
    method = '',
    url = '',
    headers,
  }: IncomingMessage): Omit<Identity, 'requestId'> | null {
    for (const service of this.services) {
      const verified = service.verify({ method, path: url, headers }, Date.now());
      if (verified) return verified.identity;
    }
    return null;
  }

  private welcome(client: import('ws').WebSocket): void {
    client.send('welcome');
    client.on('message', (data: Buffer) => client.send(data));
  }
}
