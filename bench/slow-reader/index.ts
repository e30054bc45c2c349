import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newId } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { findFreePort } from '@plimsoll/local-parts';
import { sampleWallet, sampleWatch, startPublisher, testIdentityKeys, waitFor } from '@plimsoll/testing';
import { percentile } from '../flow/percentile';
import { type Client, startClient } from '../streams/client';
import { startOurs } from '../streams/our-contender';
import { startStreamParts } from '../streams/stream-parts';
import { LiveMemory } from './live-memory';
import { Noise } from './noise';
import { Reader } from './reader';
import { ServiceMetrics } from './service-metrics';

export const description =
  'one stream client that stops reading among 2,000 [--pairs N] [--seconds N] [--connections N] [--rate N] [--noise N]';

const SETTLE_MS = 3_000;
const MIB = 1_048_576;
/** The limit of the others' p99 is the greater of these. */
const BOUNDS = { times: 1.2, plusMs: 20, memoryMib: 1 };
const NOISY_POSITIONS = 40;
/** More bytes than wait for any client that reads. */
const STUCK_BYTES = 131_072;
const STALLED_TIMEOUT_MS = 300_000;
/**
 * The memory for events of returning clients fills within seconds here, so that its growth is not counted.
 */
const RESUME_MEMORY_BYTES = 4 * MIB;
/** About as many as fit into the time until a client that stopped is closed. */
const WEIGHINGS = 10;
const WEIGH_INTERVAL_MS = 500;

/**
 * Pairs: a client of many changes reads, then stops reading until the service closes it, while thousands of
 * others read. Its load is the same in both, so only the stop differs.
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      pairs: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '10' },
      connections: { type: 'string', default: '2000' },
      rate: { type: 'string', default: '5' },
      noise: { type: 'string', default: '1000' },
    },
  });
  const connections = Number(values.connections);
  const parts = await startStreamParts('slow-reader');
  const { kafka, postgres, redis } = parts;
  const log = { brokers: [kafka.url], topicPrefix: '' };
  const publisher = await startPublisher(postgres.url, log);
  const identityKeys = testIdentityKeys();
  const noisyWallet = sampleWallet(2);
  const noisyAccount = newId('acc');
  await publisher.publish(outgoing('wallet.v1', sampleWatch(noisyAccount, noisyWallet)));
  const inspectorPort = await findFreePort();
  const ofProcess = {
    nodeArgs: [`--inspect=127.0.0.1:${inspectorPort}`, '--inspect-publish-uid=http'],
    env: { RESUME_MEMORY_BYTES: String(RESUME_MEMORY_BYTES) },
  };
  const around = { ...log, ...ofProcess, redisUrl: redis.url, identityKeys, publisher };
  const ours = await startOurs(around, connections, false);
  let memory: LiveMemory | undefined;
  const client = startClient();
  const noise = new Noise(publisher, noisyWallet, NOISY_POSITIONS);
  const broadcast = ours.broadcast(Number(values.rate));
  try {
    memory = await LiveMemory.connect(inspectorPort);
    console.error(`${connections} clients connect`);
    await client.ask({ do: 'connect', target: ours.target, connections });
    noise.start(Number(values.noise));
    const reader = new Reader(ours.target.port, identityKeys, noisyAccount);
    const metrics = new ServiceMetrics(ours.operationsPort);
    const pairs: Pair[] = [];
    for (let number = 1; number <= Number(values.pairs); number += 1) {
      const pair = await onePair({ reader, metrics, client, memory }, Number(values.seconds) * 1_000);
      pairs.push(pair);
      console.error(JSON.stringify({ pair: number, ...pair }));
    }
    await noise.stop();
    await waitFor(() => [...noise.latest].every(([id, sequence]) => reader.latest.get(id) === sequence), {
      message: 'the client knows the latest state of each position',
      timeoutMs: 60_000,
    });
    const median = (pick: (pair: Pair) => number): number => percentile(pairs.map(pick), 0.5);
    const [without, beside] = [median(({ p99Ms }) => p99Ms.without), median(({ p99Ms }) => p99Ms.with)];
    const boundMs = Math.max(BOUNDS.times * without, without + BOUNDS.plusMs);
    const unsentMib = Math.max(...pairs.map(({ mostUnsentBytes }) => mostUnsentBytes)) / MIB;
    const grownMib = median((pair) => pair.grownMib);
    const result = {
      healthyP99Ms: { without, with: beside, atMost: boundMs },
      unsentMib: { value: Number(unsentMib.toFixed(3)), atMost: BOUNDS.memoryMib },
      grownMib: { value: grownMib, atMost: BOUNDS.memoryMib },
      closeCodes: pairs.flatMap((pair) => pair.closeCodes),
      recovered: reader.recoveries,
    };
    const passed =
      beside <= boundMs &&
      unsentMib <= BOUNDS.memoryMib &&
      grownMib <= BOUNDS.memoryMib &&
      result.closeCodes.every((code) => code === 4008) &&
      result.recovered.length === 2 * pairs.length &&
      result.recovered.every(Boolean);
    return { bench: 'slow-reader', connections, pairs, ...result, passed };
  } finally {
    memory?.close();
    client.kill();
    await noise.stop().catch(() => undefined);
    await broadcast.stop().catch(() => undefined);
    await ours.end();
    await publisher.stop().catch(() => undefined);
    await parts.stop();
  }
}

interface Scene {
  reader: Reader;
  metrics: ServiceMetrics;
  client: Client;
  memory: LiveMemory;
}

interface Pair {
  p99Ms: { without: number; with: number };
  mostUnsentBytes: number;
  /** The highest memory in use, minus the memory in use while the client reads. */
  grownMib: number;
  closeCodes: (number | null)[];
}

/** The client stops twice, because collecting garbage to measure memory would delay the others' messages. */
async function onePair(scene: Scene, ms: number): Promise<Pair> {
  const { reader, metrics, client } = scene;
  if (reader.closeCode !== null || reader.recoveries.length === 0) await reader.connect();
  await delay(SETTLE_MS);
  const withoutMs = await p99MsWhile(client, () => delay(ms));
  const closesBefore = await stopReading(scene);
  let mostUnsentBytes = 0;
  const withMs = await p99MsWhile(client, () =>
    waitFor(
      async () => {
        mostUnsentBytes = Math.max(mostUnsentBytes, await metrics.unsentBytes());
        return (await metrics.closed('4008')) > closesBefore;
      },
      { message: 'the client is closed', timeoutMs: STALLED_TIMEOUT_MS, intervalMs: 100 },
    ),
  );
  const firstCode = await reconnect(reader);
  const grownMib = await grownMibWhileStopped(scene);
  const closeCodes = [firstCode, await reconnect(reader)];
  return { p99Ms: { without: withoutMs, with: withMs }, mostUnsentBytes, grownMib, closeCodes };
}

/**
 * Resolves when the service's buffers fill, which happens after those of the kernel. Returns how often it
 * closed for 4008.
 */
async function stopReading({ reader, metrics }: Scene): Promise<number> {
  reader.stopReading();
  const closes = await metrics.closed('4008');
  await waitFor(async () => (await metrics.unsentBytes()) > STUCK_BYTES, {
    message: 'a frame waits for the client',
    timeoutMs: STALLED_TIMEOUT_MS,
  });
  return closes;
}

/** Reads the kernel's remaining bytes and the close, and resumes. Returns the code of the close. */
async function reconnect(reader: Reader): Promise<number | null> {
  reader.readOn();
  await waitFor(() => reader.closeCode !== null, { message: 'the connection ends', timeoutMs: 60_000 });
  const { closeCode } = reader;
  const before = reader.recoveries.length;
  await reader.connect();
  await waitFor(() => reader.recoveries.length > before, { message: 'it is resumed', timeoutMs: 60_000 });
  return closeCode;
}

async function grownMibWhileStopped(scene: Scene): Promise<number> {
  const { memory, metrics } = scene;
  await delay(SETTLE_MS);
  let reading = 0;
  for (let weighing = 0; weighing < WEIGHINGS; weighing += 1) {
    reading = Math.max(reading, await memory.bytes());
    await delay(WEIGH_INTERVAL_MS);
  }
  const closesBefore = await stopReading(scene);
  let stopped = 0;
  await waitFor(
    async () => {
      stopped = Math.max(stopped, await memory.bytes());
      return (await metrics.closed('4008')) > closesBefore;
    },
    { message: 'the client is closed', timeoutMs: STALLED_TIMEOUT_MS, intervalMs: WEIGH_INTERVAL_MS },
  );
  return Number(((stopped - reading) / MIB).toFixed(3));
}

/** p99 of the others during an action. */
async function p99MsWhile(client: Client, work: () => Promise<unknown>): Promise<number> {
  client.begin();
  await work();
  const response = await client.ask({ do: 'end' });
  if (response.is !== 'received') throw new Error('the clients did not report what they received');
  return Number(percentile(response.received.latenciesMs, 0.99).toFixed(1));
}
