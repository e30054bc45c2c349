import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks that can be turned off and on at the same address. */
export class SwitchedReceiver {
  url = '';
  private port = 0;
  private server?: Server;

  async turnOn(): Promise<void> {
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => response.end('ok'));
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.port}/hook`;
    this.server = server;
  }

  async turnOff(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    this.server?.closeAllConnections();
    await closed;
  }
}
