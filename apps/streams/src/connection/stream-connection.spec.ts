import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { StreamServerFrame } from '@plimsoll/contracts';
import { WebSocket, WebSocketServer } from 'ws';
import { LIMITS } from '../limits';
import { StreamConnection } from './stream-connection';

describe('StreamConnection', () => {
  let server: WebSocketServer;
  beforeAll(async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
  });

  it(`holds ${LIMITS.subscriptionsPerConnection} subscriptions, and says so to the next`, async () => {
    let nowMs = 0;
    const context = {
      heartbeatMs: 15_000,
      // A second for each frame: the limit on frames is not what this is about.
      now: () => (nowMs += 1_000),
      cursor: () => '',
      onSubscribed: () => undefined,
    };
    server.once('connection', (socket) => new StreamConnection(socket, 'alerts', 'acc_1', context));
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const frames: StreamServerFrame[] = [];
    const refused = new Promise<void>((resolve) => {
      client.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as StreamServerFrame;
        frames.push(frame);
        if (frame.type === 'error') resolve();
      });
    });
    await once(client, 'open');
    for (let at = 0; at <= LIMITS.subscriptionsPerConnection; at += 1) {
      client.send(JSON.stringify({ type: 'subscribe', id: `s${at}` }));
    }
    await refused;
    expect(frames.filter(({ type }) => type === 'subscribed')).toHaveLength(128);
    expect(frames.at(-1)).toMatchObject({ type: 'error', code: 'quota_reached' });
    client.terminate();
  });
});
