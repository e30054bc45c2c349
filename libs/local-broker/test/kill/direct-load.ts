import { Kafka, logLevel } from '@plimsoll/kafkajs';

const KEYS = 20;

/** A record that the broker has acknowledged. */
export interface Acknowledged {
  key: string;
  value: number;
  /** Milliseconds of `performance.now()`. */
  at: number;
}

/** Producers that send to one topic until they are stopped. */
export interface DirectLoad {
  /** In the order of the acknowledgements. */
  readonly acknowledged: readonly Acknowledged[];
  /** Resolves when the last record is acknowledged. */
  stop(): Promise<void>;
}

/** A client with the retries of the event bus. */
export function kafkaOf(url: string): Kafka {
  return new Kafka({
    brokers: [url],
    clientId: 'kill-test',
    logLevel: logLevel.NOTHING,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry: { initialRetryTime: 100, multiplier: 2, factor: 0.2, maxRetryTime: 500, retries: 100 },
  });
}

/**
 * Idempotent producers with acks=all. Each numbers its records from 0 and sends several in a request. Each
 * has its own keys, so that the numbers of a key increase in the log.
 */
export async function startDirectLoad(
  url: string,
  { topic, producers, valueBytes }: { topic: string; producers: number; valueBytes: number },
): Promise<DirectLoad> {
  const acknowledged: Acknowledged[] = [];
  const padding = 'x'.repeat(valueBytes);
  const stopping = new AbortController();
  const run = async (own: number): Promise<void> => {
    const producer = kafkaOf(url).producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
    });
    await producer.connect();
    for (let next = 0; !stopping.signal.aborted;) {
      const numbers = Array.from({ length: 1 + (next % 7) }, (_, at) => next + at);
      next += numbers.length;
      const keyed = numbers.map((value) => ({ key: `${own}-${value % KEYS}`, value }));
      const messages = keyed.map(({ key, value }) => ({ key, value: `${value} ${padding}` }));
      await producer.send({ topic, acks: -1, messages });
      const at = performance.now();
      acknowledged.push(...keyed.map((record) => ({ ...record, at })));
    }
    await producer.disconnect();
  };
  const running = Promise.all(Array.from({ length: producers }, (_, own) => run(own)));
  // A failure before the stop must not end the process. `stop` reports it.
  running.catch(() => undefined);
  return {
    acknowledged,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** The numbers of each key, in the order of the log. */
export async function readNumbers(url: string, topic: string): Promise<Map<string, number[]>> {
  const kafka = kafkaOf(url);
  const admin = kafka.admin();
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  // Compaction leaves gaps, but never removes the last record of a partition.
  const last = new Map(offsets.map(({ partition, high }) => [partition, BigInt(high) - 1n]));
  const numbers = new Map<string, number[]>();
  const unread = new Set(offsets.filter(({ low, high }) => low !== high).map(({ partition }) => partition));
  const consumer = kafka.consumer({ groupId: `look-${Math.random()}`, maxWaitTimeInMs: 50 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    void consumer
      .run({
        eachMessage: async ({ partition, message }) => {
          const key = String(message.key);
          const list = numbers.get(key) ?? [];
          numbers.set(key, list);
          list.push(Number.parseInt(String(message.value), 10));
          if (BigInt(message.offset) === last.get(partition)) unread.delete(partition);
          if (unread.size === 0) resolve();
        },
      })
      .catch(reject);
  });
  await consumer.disconnect();
  return numbers;
}
