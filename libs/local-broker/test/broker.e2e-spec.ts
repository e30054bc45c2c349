import { appendFile, readFile, readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { Kafka, logLevel, type Admin } from '@plimsoll/kafkajs';
import { BrokerProcess, runBroker } from './broker-process';

const TOPIC = 'position.v1';
const PARTITIONS = 6;
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

describe('a broker in a separate process', () => {
  let broker: BrokerProcess;
  beforeAll(async () => {
    broker = await BrokerProcess.start();
    await withAdmin(broker.url, (admin) =>
      admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: PARTITIONS }] }),
    );
    const producer = kafkaOf(broker.url).producer({ idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    const messages = Array.from({ length: 100 }, (_, at) => ({ key: `key ${at}`, value: `value ${at}` }));
    await producer.send({ topic: TOPIC, acks: -1, messages });
    await producer.disconnect();
  });
  afterAll(() => broker.dispose());

  it('recovers a log whose last bytes are garbage', async () => {
    const before = await withAdmin(broker.url, (admin) => admin.fetchTopicOffsets(TOPIC));
    await broker.kill9();
    const files = (await readdir(`${broker.dataDir}/logs`, { recursive: true })).filter((name) =>
      name.endsWith('.log'),
    );
    expect(files).toHaveLength(PARTITIONS);
    for (const file of files) await appendFile(`${broker.dataDir}/logs/${file}`, Buffer.alloc(100, 0x2a));
    await broker.start();
    expect(await withAdmin(broker.url, (admin) => admin.fetchTopicOffsets(TOPIC))).toEqual(before);
  });

  it('stops cleanly, and starts again with all its data', async () => {
    const before = await withAdmin(broker.url, (admin) => admin.fetchTopicOffsets(TOPIC));
    expect(await broker.stop()).toBe(0);
    await broker.start();
    expect(await withAdmin(broker.url, (admin) => admin.fetchTopicOffsets(TOPIC))).toEqual(before);
  });

  it('stays within its memory limit', async () => {
    if (process.platform !== 'linux') return;
    const status = await readFile(`/proc/${broker.pid}/status`, 'utf8');
    expect(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024).toBeLessThan(MEMORY_MB);
  });

  it('does not share its data with a second broker', async () => {
    await expect(runBroker(['--data-dir', broker.dataDir])).rejects.toThrow(
      'is used by the broker of process',
    );
  });

  it("disconnects a client that does not use Kafka's protocol, and serves the others", async () => {
    const [host, port] = broker.url.split(':');
    const socket = connect({ host, port: Number(port) });
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(await withAdmin(broker.url, (admin) => admin.listTopics())).toEqual([TOPIC]);
  });
});

describe('the command line of the broker', () => {
  it('rejects addresses that other machines could reach', async () => {
    await expect(runBroker(['--data-dir', 'unused', '--host', '0.0.0.0'])).rejects.toThrow(
      'code 1: local-broker: host is 0.0.0.0: the local broker listens on loopback addresses only',
    );
  });

  it('states which option is missing', async () => {
    await expect(runBroker([])).rejects.toThrow('code 2: local-broker: --data-dir is missing.');
    await expect(runBroker(['--data-dir', 'unused', '--port', 'x'])).rejects.toThrow('--port is x');
  });
});
