import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type RunningPart, startEmbeddedRedis } from '@plimsoll/local-parts';
import { waitFor } from '@plimsoll/testing';
import Redis from 'ioredis';
import { createClient } from 'redis';
import { startLocalRedis } from '../src';

const newFolder = (): string => mkdtempSync(path.join(os.tmpdir(), 'local-redis-'));

const started: RunningPart[] = [];
async function start(dataDir = newFolder()): Promise<RunningPart> {
  const running = await startEmbeddedRedis({ dataDir, logFile: path.join(dataDir, 'log') });
  started.push(running);
  return running;
}
afterAll(() => Promise.all(started.map((each) => each.kill9())));

describe('the local Redis', () => {
  let server: RunningPart;
  beforeAll(async () => {
    server = await start();
  });

  it('listens only on loopback', async () => {
    const starting = startLocalRedis({ dataDir: newFolder(), port: 0, host: '0.0.0.0' });
    await expect(starting).rejects.toThrow('listens on 127.0.0.1 or ::1 only');
  });

  it('uses RESP3 for a client that requests it', async () => {
    const client = createClient({ url: server.url, RESP: 3 });
    await client.connect();
    const received: string[] = [];
    const subscriber = await client.duplicate().connect();
    await subscriber.subscribe('news', (message) => received.push(message));
    await client.hSet('resp3', { a: '1', b: '2' });
    await client.zAdd('scores', { value: 'm', score: 1.5 });
    expect({ ...(await client.hGetAll('resp3')) }).toEqual({ a: '1', b: '2' });
    expect(await client.zScore('scores', 'm')).toBe(1.5);
    expect(await client.get('nothing')).toBeNull();
    expect(await client.publish('news', 'hello')).toBe(1);
    await waitFor(() => received.length > 0, { timeoutMs: 5_000, message: 'the message' });
    expect(received).toEqual(['hello']);
    await subscriber.quit();
    await client.quit();
  });

  it('ends a script that runs too long, also when it catches errors, and continues to serve', async () => {
    const client = new Redis(server.url);
    const script = 'while true do pcall(function() while true do end end) end';
    await expect(client.eval(script, 0)).rejects.toThrow('script ran for more than 5000 ms');
    expect(await client.ping()).toBe('PONG');
    client.disconnect();
  });

  it('disconnects a subscriber that does not read, and keeps its memory bounded', async () => {
    const publisher = new Redis(server.url);
    const slow = new Redis(server.url, { retryStrategy: null });
    slow.on('error', () => undefined);
    await slow.subscribe('flood');
    (slow as unknown as { stream: { pause(): void } }).stream.pause();
    const message = 'x'.repeat(1_048_576);
    let receivers = 1;
    for (let i = 0; i < 200 && receivers > 0; i += 1) receivers = await publisher.publish('flood', message);
    expect(receivers).toBe(0);
    slow.disconnect();
    publisher.disconnect();
  });
});

describe('the append-only file', () => {
  it('contains each change when its reply arrives', async () => {
    const dataDir = newFolder();
    const { url } = await start(dataDir);
    const client = new Redis(url);
    for (let number = 0; number < 200; number += 1) {
      await client.set('key', `number ${number}.`);
      const content = readFileSync(path.join(dataDir, 'appendonly.aof'), 'latin1');
      expect(content.endsWith(`number ${number}.\r\n`)).toBe(true);
    }
    client.disconnect();
  });

  it('is complete after the server stops cleanly', async () => {
    const running = await start();
    const client = new Redis(running.url);
    await client.set('key', 'value');
    client.disconnect();
    await running.stop();
    expect(await running.exited).toEqual({ code: 0, signal: null });
  });
});
