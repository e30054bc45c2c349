import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { outgoing, type LogReaderOptions } from '@plimsoll/event-bus';
import {
  createTestDatabase,
  type EventPublisher,
  sampleWallet,
  sampleWatch,
  startPublisher,
  type TestDatabase,
  testKafka,
  waitFor,
} from '@plimsoll/testing';
import { LogThread } from '../src/log/thread/log-thread';
import { newAccount } from './streams-harness';

jest.setTimeout(60_000);

describe('the thread that reads the log', () => {
  const log = testKafka();
  const thread = new LogThread();
  const lines: string[] = [];
  const line = (_fields: object, message: string): void => void lines.push(message);
  const logger = { debug: line, info: line, warn: line, error: line };
  let database: TestDatabase;
  let publisher: EventPublisher;
  beforeAll(async () => {
    database = await createTestDatabase();
    publisher = await startPublisher(database.url, log);
  });
  afterAll(async () => {
    await publisher.stop();
    await database.drop();
    await thread.onApplicationShutdown();
  });

  /** The account watches its wallet, or stops. One key keeps the order. */
  const watch = (account: string, ...enabled: boolean[]): Promise<void> =>
    publisher.publish(
      ...enabled.map((each) => outgoing('wallet.v1', sampleWatch(account, sampleWallet(1), each))),
    );
  const readerOf = (onEvents: LogReaderOptions['onEvents'], brokers = log.brokers) =>
    thread.reader({
      ...log,
      brokers,
      clientId: 'thread-test',
      logger,
      topics: { 'wallet.v1': 'beginning' },
      onEvents,
    });

  it('passes on all Kafka events in order, and has caught up only after all of them were accepted', async () => {
    const account = newAccount();
    await watch(account, true, false, false);
    const read: boolean[] = [];
    const reader = readerOf((...[topic, , events]) => {
      if (topic !== 'wallet.v1') return;
      for (const { value } of events) if (value?.accountId === account) read.push(value.enabled);
    });
    expect(reader.health().ok).toBe(false);
    await reader.start();
    await waitFor(() => reader.health().ok, { message: 'caught up' });
    await waitFor(() => read.length >= 3, { message: 'three' });
    await watch(account, true);
    await waitFor(() => read.length >= 4, { message: 'the fourth' });
    expect(read).toEqual([true, false, false, true]);
    await reader.stop();
    await reader.stop();
    expect(reader.health().ok).toBe(false);
  });

  it('repeats a batch that was not accepted, and sends nothing after it before', async () => {
    const account = newAccount();
    await watch(account, true, false);
    const seen: boolean[] = [];
    let refusals = 2;
    const reader = readerOf(async (...[topic, , events]) => {
      if (topic !== 'wallet.v1') return;
      const own = events.filter(({ value }) => value?.accountId === account);
      if (own.length > 0 && refusals > 0) {
        refusals -= 1;
        throw new Error('not now');
      }
      for (const { value } of own) if (value) seen.push(value.enabled);
    });
    await reader.start();
    await waitFor(() => seen.length >= 2, { message: 'the request is accepted', timeoutMs: 20_000 });
    expect({ refusals, seen }).toEqual({ refusals: 0, seen: [true, false] });
    await reader.stop();
  });

  it('reports an unavailable broker, with its log lines', async () => {
    const reader = readerOf(() => undefined, ['127.0.0.1:1']);
    await expect(reader.start()).rejects.toThrow(/ECONNREFUSED|Connection error/);
    expect(lines.some((each) => each.includes('kafkajs'))).toBe(true);
    await reader.stop();
  });

  it('ends the process when it dies, and states the reason', async () => {
    const service = path.join(__dirname, 'dying-thread', 'service.ts');
    const child = spawn(process.execPath, ['-r', '@swc-node/register', service], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 30_000,
      killSignal: 'SIGKILL',
    });
    const [[code], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringContaining('the thread dies') as string,
    });
  });
});
