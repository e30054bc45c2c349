import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';

type Responder = (socket: Socket, request: string, connection: number) => void;

/** A service that sends the exact bytes of a test, and stores the received ones. */
export class ScriptedService {
  origin = '';
  /** In the order of their arrival. */
  readonly connections: Socket[] = [];
  /** The received bytes of each connection. */
  readonly received: string[] = [];
  /**
   * Called with a request without a body, or with the received part of one with a body, each time that it
   * grows.
   */
  respond: Responder = (socket) => void socket.write(whole('ok'));
  private readonly server = createServer((socket) => {
    const at = this.connections.push(socket) - 1;
    this.received.push('');
    let request = '';
    socket.setNoDelay(true).on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1');
      this.received[at] += text;
      request += text;
      if (!request.includes('\r\n\r\n')) return;
      const now = request;
      if (!/\r\n(?:content-length: [1-9]|transfer-encoding)/i.test(now)) request = '';
      this.respond(socket, now, at);
    });
  });

  async start(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    this.origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.connections) socket.destroy();
  }
}

/** A complete response. @param lines of its head, each with its end */
export const whole = (body: string, lines = ''): string =>
  `HTTP/1.1 200 OK\r\n${lines}Content-Length: ${body.length}\r\n\r\n${body}`;
