import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { Kafka, logLevel, type Admin } from 'kafkajs';
import { BrokerProcess, runBroker } from './broker-process';

const TOPIC = 'position.v1';
const PARTITIONS = 6;
const KEYS = 20;
const PRODUCERS = 4;
const RESUME_MS = 2_000;
const MEMORY_MB = 80;

jest.setTimeout(120_000);

function kafkaOf(url: string): Kafka {
  return new Kafka({
    brokers: [url],
    clientId: 'test',
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1_000,
    requestTimeout: 5_000,
    retry: { retries: 30, initialRetryTime: 50, maxRetryTime: 250 },
  });
}

async function withAdmin<T>(url: string, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafkaOf(url).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

interface Acknowledged {
  key: string;
  value: number;
  at: number;
}

/** Sends numbered messages one after the other until told to stop; the keys are this producer's own. */
async function produceUntil(
  url: string,
  own: number,
  stop: { now: boolean },
  acknowledged: Acknowledged[],
): Promise<void> {
  const producer = kafkaOf(url).producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  for (let value = 0; !stop.now; value += 1) {
    const key = `${own}-${value % KEYS}`;
    await producer.send({ topic: TOPIC, acks: -1, messages: [{ key, value: String(value) }] });
    acknowledged.push({ key, value, at: performance.now() });
  }
  await producer.disconnect();
}

/** The values of each key, in the order of the log. */
async function readAll(url: string): Promise<Map<string, number[]>> {
  const offsets = await withAdmin(url, (admin) => admin.fetchTopicOffsets(TOPIC));
  const wanted = offsets.reduce((sum, { high }) => sum + Number(high), 0);
  const values = new Map<string, number[]>();
  const consumer = kafkaOf(url).consumer({ groupId: `look-${Math.random()}`, maxWaitTimeInMs: 50 });
  await consumer.connect();
  await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
  let count = 0;
  await new Promise<void>((resolve, reject) => {
    void consumer
      .run({
        eachMessage: async ({ message }) => {
          const key = String(message.key);
          values.set(key, [...(values.get(key) ?? []), Number(message.value)]);
          count += 1;
          if (count >= wanted) resolve();
        },
      })
      .catch(reject);
  });
  await consumer.disconnect();
  return values;
}

describe('a broker that is killed with -9 under load', () => {
  let broker: BrokerProcess;
  beforeAll(async () => {
    broker = await BrokerProcess.start();
  });
  afterAll(() => broker.dispose());

  it('has lost nothing that it acknowledged, keeps each order, and resumes within two seconds', async () => {
    await withAdmin(broker.url, (admin) =>
      admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: PARTITIONS }] }),
    );
    const acknowledged: Acknowledged[] = [];
    const stop = { now: false };
    const producers = Array.from({ length: PRODUCERS }, (_, own) =>
      produceUntil(broker.url, own, stop, acknowledged),
    );
    const resumed: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const before = acknowledged.length;
      while (acknowledged.length < before + 200) await pause(10);
      await broker.kill9();
      const known = acknowledged.length;
      await broker.start();
      const listeningAt = performance.now();
      while (acknowledged.length === known) await pause(5);
      resumed.push(Math.round((acknowledged[known]?.at ?? Infinity) - listeningAt));
    }
    stop.now = true;
    await Promise.all(producers);

    const log = await readAll(broker.url);
    const lost = acknowledged.filter(({ key, value }) => !log.get(key)?.includes(value));
    expect(lost).toEqual([]);
    for (const values of log.values()) expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
    expect(Math.max(...resumed)).toBeLessThan(RESUME_MS);
  });

  it('recovers a log whose last bytes are garbage', async () => {
    const before = await withAdmin(broker.url, (admin) => admin.fetchTopicOffsets(TOPIC));
    await broker.kill9();
    const { appendFile, readdir } = await import('node:fs/promises');
    const files = (await readdir(`${broker.dataDir}/logs`, { recursive: true })).filter((name) =>
      name.endsWith('.log'),
    );
    expect(files).toHaveLength(PARTITIONS);
    for (const file of files) await appendFile(`${broker.dataDir}/logs/${file}`, Buffer.alloc(100, 0x2a));
    await broker.start();
    expect(await withAdmin(broker.url, (admin) => admin.fetchTopicOffsets(TOPIC))).toEqual(before);
  });

  it('stops cleanly, and starts again with everything', async () => {
    const before = await withAdmin(broker.url, (admin) => admin.fetchTopicOffsets(TOPIC));
    expect(await broker.stop()).toBe(0);
    await broker.start();
    expect(await withAdmin(broker.url, (admin) => admin.fetchTopicOffsets(TOPIC))).toEqual(before);
  });

  it('keeps within its memory', async () => {
    if (process.platform !== 'linux') return;
    const status = await readFile(`/proc/${broker.pid}/status`, 'utf8');
    expect(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024).toBeLessThan(MEMORY_MB);
  });

  it('does not share its data with a second broker', async () => {
    await expect(runBroker(['--data-dir', broker.dataDir])).rejects.toThrow(
      'is used by the broker of process',
    );
  });

  it('lets a client go that sends no Kafka, and serves the others', async () => {
    const [host, port] = broker.url.split(':');
    const socket = connect({ host, port: Number(port) });
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(await withAdmin(broker.url, (admin) => admin.listTopics())).toEqual([TOPIC]);
  });
});

describe('the command line of the broker', () => {
  it('refuses addresses that others could reach', async () => {
    await expect(runBroker(['--data-dir', 'unused', '--host', '0.0.0.0'])).rejects.toThrow(
      'code 1: local-broker: host is 0.0.0.0: the local broker listens on loopback addresses only',
    );
  });

  it('says what is missing', async () => {
    await expect(runBroker([])).rejects.toThrow('code 2: local-broker: --data-dir is missing.');
    await expect(runBroker(['--data-dir', 'unused', '--port', 'x'])).rejects.toThrow('--port is x');
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
