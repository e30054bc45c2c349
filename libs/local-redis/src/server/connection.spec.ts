import { mkdtempSync } from 'node:fs';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Duplex } from 'node:stream';
import { serveConnection } from './connection';
import { PubSub } from './pub-sub';
import type { SharedState } from './session';
import { Store } from './store';

/** The events on a server with a subscriber of `news` and another client, in order. */
class TestServer {
  readonly events: string[] = [];
  private readonly client: Duplex;

  private constructor(private readonly shared: SharedState) {
    const flush = shared.store.flush.bind(shared.store);
    shared.store.flush = () => {
      flush();
      this.events.push('file');
    };
    this.connect('subscriber').push('SUBSCRIBE news\r\n');
    this.client = this.connect('client');
  }

  static async create(): Promise<TestServer> {
    const now = () => ({ ms: Date.now(), us: 0 });
    const store = new Store(mkdtempSync(path.join(os.tmpdir(), 'connection-')), now);
    // No script runs here, and Jest cannot load the interpreter.
    const shared = { store, pubSub: new PubSub(), now, info: () => '' };
    const stand = new TestServer(shared as unknown as SharedState);
    await stand.settled();
    stand.events.length = 0;
    return stand;
  }

  async send(text: string): Promise<string[]> {
    this.client.push(text);
    await this.settled();
    return this.events;
  }

  private async settled(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }

  private connect(name: string): Duplex {
    const socket = new Duplex({
      read: () => undefined,
      write: (_bytes, _encoding, done) => {
        this.events.push(name);
        done();
      },
    });
    const failed = (error: Error): void => void this.events.push(error.message);
    serveConnection(1, socket as Socket, this.shared, failed);
    return socket;
  }
}

describe('a connection', () => {
  it('sends a reply when the change is in the file', async () => {
    const stand = await TestServer.create();
    expect(await stand.send('SET a 1\r\n')).toEqual(['file', 'client']);
  });

  it('sends a message to others when the changes before it are in the file', async () => {
    const stand = await TestServer.create();
    expect(await stand.send('MULTI\r\nSET a 1\r\nPUBLISH news a\r\nEXEC\r\n')).toEqual([
      'file',
      'subscriber',
      'client',
    ]);
  });
});
