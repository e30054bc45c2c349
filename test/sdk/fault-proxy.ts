import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A failure between a client and the platform. */
export type Fault =
  /** The connection is reset before the request reaches the platform. */
  | 'reset'
  /** The platform handles the request, and the connection is reset before the response. */
  | 'reset-after'
  /** The platform handles the request, and half of the response arrives. */
  | 'truncated'
  /** No response arrives. */
  | 'stall'
  /** A proxy in between responds with 502 and HTML. */
  | 'bad-gateway'
  /** The platform fails with 500. */
  | 'internal'
  /** A proxy in between responds with 429. */
  | 'limited';

/** A proxy in front of the platform that fails on demand. Every other byte passes unchanged. */
export class FaultProxy {
  /** Faults of the next requests, in order. */
  readonly faults: Fault[] = [];
  /** Requests that reached the platform: method and path. */
  readonly forwarded: string[] = [];
  private readonly upgraded = new Set<Duplex>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  static async start(target: string): Promise<FaultProxy> {
    const server = createServer();
    const proxy = new FaultProxy(server, new URL(target));
    server.on('request', (incoming, response) => proxy.handle(incoming, response));
    server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) =>
      proxy.upgrade(incoming, socket, head),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Cuts every stream. */
  cutStreams(): void {
    for (const socket of this.upgraded) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cutStreams();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private handle(incoming: IncomingMessage, response: ServerResponse): void {
    const fault = this.faults.shift();
    if (fault === 'reset') return void incoming.socket.destroy();
    if (fault === 'stall') return;
    if (fault === 'bad-gateway')
      return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    if (fault === 'internal')
      return void response
        .writeHead(500, { 'content-type': 'application/problem+json' })
        .end('{"status":500,"code":"internal"}');
    if (fault === 'limited') return void response.writeHead(429, { 'retry-after': '1' }).end();
    this.forwarded.push(`${incoming.method} ${incoming.url}`);
    const { hostname, port } = this.target;
    const { method, url, headers } = incoming;
    const upstream = request({ hostname, port, method, path: url, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        if (fault === 'reset-after') return void incoming.socket.destroy();
        const body = Buffer.concat(chunks);
        const { 'transfer-encoding': _, ...rest } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, { ...rest, 'content-length': body.length });
        if (fault !== 'truncated') return void response.end(body);
        response.write(body.subarray(0, body.length >> 1), () => incoming.socket.destroy());
      });
    });
    upstream.on('error', () => incoming.socket.destroy());
    incoming.pipe(upstream);
  }

  private upgrade(incoming: IncomingMessage, socket: Socket, head: Buffer): void {
    const { hostname, port } = this.target;
    const { method, url, headers } = incoming;
    this.upgraded.add(socket);
    const upstream = request({ hostname, port, method, path: url, headers });
    const fail = (): void => void socket.destroy();
    socket.on('error', fail);
    socket.on('close', () => {
      this.upgraded.delete(socket);
      upstream.destroy();
    });
    upstream.on('error', fail);
    upstream.on('response', fail);
    upstream.on('upgrade', (answer: IncomingMessage, server: Duplex, rest: Buffer) => {
      const lines = [`HTTP/1.1 101 Switching Protocols`];
      for (let at = 0; at < answer.rawHeaders.length; at += 2)
        lines.push(`${answer.rawHeaders[at]}: ${answer.rawHeaders[at + 1]}`);
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      socket.write(rest);
      server.write(head);
      server.on('error', fail);
      server.on('close', fail);
      socket.on('close', () => server.destroy());
      server.pipe(socket);
      socket.pipe(server);
    });
    upstream.end();
  }
}
