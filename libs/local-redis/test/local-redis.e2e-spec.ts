import { mkdtempSync } from 'node:fs';
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

  it('listens on loopback alone', async () => {
    const starting = startLocalRedis({ dataDir: newFolder(), port: 0, host: '0.0.0.0' });
    await expect(starting).rejects.toThrow('listens on 127.0.0.1 or ::1 only');
  });

  it('speaks RESP3 to a client that asks for it', async () => {
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

  it('ends a script that runs too long, also when it catches errors, and goes on serving', async () => {
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

describe('the local Redis when it is killed', () => {
  it('loses nothing that it acknowledged under load', async () => {
    const dataDir = newFolder();
    const acknowledged = new Map<string, number>();
    for (let round = 0; round < 3; round += 1) {
      const running = await start(dataDir);
      const clients = Array.from({ length: 4 }, () => {
        const client = new Redis(running.url, { retryStrategy: null, maxRetriesPerRequest: 0 });
        client.on('error', () => undefined);
        return client;
      });
      const writers = clients.map(async (client, writer) => {
        const key = `counter:${writer}`;
        const script =
          "return redis.call('HINCRBY', KEYS[1], 'a', 1) + 0 * redis.call('HINCRBY', KEYS[1], 'b', 1)";
        for (;;) {
          try {
            acknowledged.set(key, Number(await client.eval(script, 1, key)));
          } catch {
            return;
          }
        }
      });
      const before = [...acknowledged.values()].reduce((sum, count) => sum + count, 0);
      await waitFor(() => [...acknowledged.values()].reduce((sum, count) => sum + count, 0) > before + 500, {
        timeoutMs: 30_000,
        message: '500 acknowledged writes',
      });
      await running.kill9();
      await Promise.all(writers);
      for (const client of clients) client.disconnect();
    }
    const last = await start(dataDir);
    const client = new Redis(last.url);
    for (const [key, count] of acknowledged) {
      const { a, b } = await client.hgetall(key);
      // At most the one write that was under way is there beyond the acknowledged ones, and whole.
      expect(Number(a)).toBeGreaterThanOrEqual(count);
      expect(Number(a)).toBeLessThanOrEqual(count + 3);
      expect(b).toBe(a);
    }
    client.disconnect();
    await last.stop();
    expect(await last.exited).toEqual({ code: 0, signal: null });
  });
});
