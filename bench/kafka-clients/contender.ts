// Child process of one measurement. The first message from the parent contains the settings.
import type { BenchClient, OutgoingRecord } from './client';
import { kafkajsClient } from './kafkajs-client';
import { platformaticClient } from './platformatic-client';
import type { ClientName, Measurement, Settings } from './types';

/** The number of rows that the relay sends in one request. */
const BATCH = 500;

const CLIENTS: Record<ClientName, (broker: string) => BenchClient> = {
  kafkajs: kafkajsClient,
  platformatic: platformaticClient,
};

process.once('message', (message) => {
  const settings = message as Settings;
  const client = CLIENTS[settings.client](settings.broker);
  const measuring = settings.task === 'consume' ? consume(client, settings) : produce(client, settings);
  measuring.then(
    (measurement) => process.send?.(measurement, () => process.exit(0)),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function produce(client: BenchClient, { task, topic, messages }: Settings): Promise<Measurement> {
  const send = await client.producer(topic);
  const size = task === 'single' ? 1 : BATCH;
  await send([recordOf(0)]);
  const stop = watch();
  const times: number[] = [];
  for (let start = 0; start < messages; start += size) {
    const records = Array.from({ length: Math.min(size, messages - start) }, (_, at) => recordOf(start + at));
    const sentAt = performance.now();
    await send(records);
    times.push(performance.now() - sentAt);
  }
  const measurement = stop(messages);
  return task === 'single'
    ? { ...measurement, p50Ms: rank(times, 0.5), p99Ms: rank(times, 0.99) }
    : measurement;
}

async function consume(client: BenchClient, { topic, groupId, messages }: Settings): Promise<Measurement> {
  let stop = watch();
  let count = 0;
  return new Promise((resolve, reject) => {
    const onJoin = (): void => {
      stop = watch();
    };
    const onValues = (values: Buffer[]): void => {
      for (const value of values) JSON.parse(String(value));
      count += values.length;
      if (count >= messages) resolve(stop(messages));
    };
    client.consume(topic, groupId, onJoin, onValues).catch(reject);
  });
}

/** A small event with the headers of the event bus. */
function recordOf(at: number): OutgoingRecord {
  const key = `account ${at % 1_000}`;
  const wallet = `0x${(at % 1_000).toString(16).padStart(40, '0')}`;
  return {
    key,
    value: JSON.stringify({
      accountId: key,
      wallet,
      enabled: true,
      watchedSince: '2026-11-21T12:00:00.000Z',
    }),
    headers: {
      ce_specversion: '1.0',
      ce_id: `evt_${at}`,
      ce_type: 'wallet.v1',
      ce_source: '/bench',
      ce_time: '2026-11-21T12:00:00.000Z',
      ce_subject: key,
      'content-type': 'application/json',
    },
  };
}

function watch(): (messages: number) => Measurement {
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  return (messages) => {
    const seconds = (performance.now() - startedAt) / 1_000;
    const { user, system } = process.cpuUsage(cpuAtStart);
    return {
      messagesPerSecond: Math.round(messages / seconds),
      cpuUsPerMessage: Number(((user + system) / messages).toFixed(2)),
      maxRssMb: Math.round(process.resourceUsage().maxRSS / 1_024),
    };
  };
}

function rank(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2));
}
