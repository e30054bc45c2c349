import type { Server } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { Controller, Get, Module, StreamableFile } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { testIdentityKeys, waitFor } from '@plimsoll/testing';
import { ServiceConfig } from '../config/service.config';
import { createService } from '../create-service';
import { WithoutIdentity } from '../identity/identity.guard';

const HELD = 'GET /held HTTP/1.1\r\nHost: a\r\n\r\n';
const OK_AND_CLOSED = /^HTTP\/1.1 200 OK\r\n[^]*connection: close\r\n[^]*\{"ok":true\}$/i;

/** Releases the response that the handler holds back. */
let release: (() => void) | undefined;

@WithoutIdentity()
@Controller()
class SampleController {
  @Get('held')
  held(): Promise<object> {
    return new Promise((resolve) => (release = () => resolve({ ok: true })));
  }

  @Get('begun')
  begun(): StreamableFile {
    const body = new PassThrough();
    body.write('{"ok":');
    release = () => body.end('true}');
    return new StreamableFile(body, { type: 'application/json' });
  }

  @Get('quick')
  quick(): object {
    return { ok: true };
  }
}

@Module({ controllers: [SampleController] })
class SampleModule {}

/** A raw connection. No client library repairs its bytes. */
class Client {
  text = '';
  readonly socket: Socket;

  constructor(server: Server) {
    this.socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    this.socket.setEncoding('latin1').on('data', (text: string) => (this.text += text));
  }

  isClosed(): Promise<true> {
    return waitFor(() => this.socket.closed, { timeoutMs: 5_000, message: `the end after ${this.text}` });
  }
}

describe('a service that stops', () => {
  let app: NestFastifyApplication;
  let server: Server;
  let clients: Client[];

  beforeEach(async () => {
    release = undefined;
    clients = [];
    const config = { LOG_LEVEL: 'silent', IDENTITY_KEYS_FOLDER: testIdentityKeys() };
    app = await createService(SampleModule, Object.assign(new ServiceConfig(), config));
    await app.listen(0, '127.0.0.1');
    server = app.getHttpServer() as Server;
  });
  afterEach(async () => {
    for (const { socket } of clients) socket.destroy();
    await app.close();
  });

  it('completes a request in flight and closes its connection with the response', async () => {
    const client = call(HELD);
    await waitFor(() => release, { message: 'the call' });
    const stopped = stop();
    await isStopping();
    release?.();
    await client.isClosed();
    await stopped;
    expect(client.text).toMatch(OK_AND_CLOSED);
  });

  it('completes a request whose bytes had begun to arrive', async () => {
    call(HELD);
    const client = call('GET /quick HTTP/1.1\r\nHo');
    await waitFor(() => release && client.socket.bytesWritten > 0, { message: 'both' });
    const stopped = stop();
    await isStopping();
    client.socket.write('st: a\r\n\r\n');
    await client.isClosed();
    expect(client.text).toMatch(OK_AND_CLOSED);
    release?.();
    await stopped;
  });

  it('closes a kept-alive connection after its response', async () => {
    const client = call('GET /begun HTTP/1.1\r\nHost: a\r\n\r\n');
    await waitFor(() => client.text.includes('{"ok":'), { message: 'the first half' });
    expect(client.text).toMatch(/connection: keep-alive/i);
    const stopped = stop();
    await isStopping();
    release?.();
    await client.isClosed();
    await stopped;
    expect(client.text).toContain('true}');
  });

  function call(bytes: string): Client {
    const client = new Client(server);
    client.socket.write(bytes);
    clients.push(client);
    return client;
  }

  const stop = (): Promise<void> => app.close();
  const isStopping = (): Promise<true> => waitFor(() => !server.listening, { message: 'the stop' });
});
