import { apis, newBatch, type NewRecord } from '@plimsoll/local-broker';
import {
  Kafka,
  Partitioners,
  logLevel,
  type Admin,
  type Consumer,
  type Message,
  type Producer,
} from '@plimsoll/kafkajs';
import { ensure, type CheckContext } from '../check';
import { RawClient } from './raw-client';

/** The time of the records: any time within all limits. */
export const TIME = 1_700_000_000_000;

type BatchHeader = NonNullable<Parameters<typeof newBatch>[1]>;

export async function rawClient({ address, defer }: CheckContext): Promise<RawClient> {
  const client = await RawClient.connect(address);
  defer(() => client.close());
  return client;
}

export function kafkaOf({ address }: CheckContext, retries = 8): Kafka {
  return new Kafka({
    brokers: [address],
    clientId: 'conformance',
    logLevel: logLevel.NOTHING,
    connectionTimeout: 3_000,
    requestTimeout: 20_000,
    retry: { retries, initialRetryTime: 100, maxRetryTime: 1_000 },
  });
}

export async function adminOf(context: CheckContext): Promise<Admin> {
  const admin = kafkaOf(context).admin();
  await admin.connect();
  context.defer(() => admin.disconnect());
  return admin;
}

export async function producerOf(context: CheckContext): Promise<Producer> {
  const producer = kafkaOf(context).producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  context.defer(() => producer.disconnect());
  return producer;
}

export async function consumerOf(context: CheckContext, groupId: string, retries = 8): Promise<Consumer> {
  const consumer = kafkaOf(context, retries).consumer({
    groupId,
    sessionTimeout: 10_000,
    heartbeatInterval: 500,
    maxWaitTimeInMs: 200,
  });
  await consumer.connect();
  context.defer(() => consumer.disconnect());
  return consumer;
}

/** A new topic whose partitions are served. */
export async function topicOf(
  context: CheckContext,
  { partitions = 1, configs = {} }: { partitions?: number; configs?: Record<string, string> } = {},
): Promise<string> {
  const topic = context.name(`topic-${Math.random().toString(36).slice(2, 8)}`);
  const admin = await adminOf(context);
  await admin.createTopics({
    topics: [
      {
        topic,
        numPartitions: partitions,
        configEntries: Object.entries(configs).map(([name, value]) => ({ name, value })),
      },
    ],
    waitForLeaders: false,
  });
  // A genuine broker on a busy machine creates a topic before it knows it, which kafkajs reports as an error.
  const isServed = (): Promise<boolean> =>
    admin.fetchTopicOffsets(topic).then(
      (offsets) => offsets.length === partitions,
      () => false,
    );
  await eventually(isServed, `partitions of ${topic}`);
  return topic;
}

/** Sends through a separate idempotent producer, all to one partition. */
export async function send(context: CheckContext, topic: string, messages: Message[]): Promise<void> {
  const producer = await producerOf(context);
  await producer.send({ topic, acks: -1, messages });
}

export function textRecords(...values: (string | null)[]): NewRecord[] {
  return values.map((value, at) => ({
    key: Buffer.from(`key-${at}`),
    value: value === null ? null : Buffer.from(value),
    timestamp: TIME + at,
  }));
}

export function batch(values: (string | null)[], header?: BatchHeader): Buffer {
  return newBatch(textRecords(...values), header);
}

interface ProduceOptions {
  acks?: number;
  version?: number;
  partition?: number;
}

/** Sends one batch unchanged. Returns the code and the base offset of its partition. */
export async function produceRaw(
  client: RawClient,
  topic: string,
  records: Buffer | null,
  { acks = -1, version = 7, partition = 0 }: ProduceOptions = {},
): Promise<{ errorCode: number; baseOffset: number }> {
  const { topics } = await client.request(apis.produce, version, {
    transactionalId: null,
    acks,
    timeoutMs: 10_000,
    topics: [{ name: topic, partitions: [{ index: partition, records }] }],
  });
  const answer = topics[0]?.partitions[0];
  ensure(answer !== undefined, 'a produce response without the partition');
  return { errorCode: answer.errorCode, baseOffset: answer.baseOffset };
}

interface FetchOptions {
  offset?: number;
  partition?: number;
  maxWaitMs?: number;
  minBytes?: number;
  maxBytes?: number;
  partitionMaxBytes?: number;
  isolationLevel?: number;
  version?: number;
}

export function fetchRequest(topic: string, options: FetchOptions = {}) {
  const { offset = 0, partition = 0, maxWaitMs = 100, minBytes = 1, isolationLevel = 0 } = options;
  const { maxBytes = 1_000_000, partitionMaxBytes = 1_000_000 } = options;
  return {
    replicaId: -1,
    maxWaitMs,
    minBytes,
    maxBytes,
    isolationLevel,
    sessionId: 0,
    sessionEpoch: -1,
    topics: [
      {
        topic,
        partitions: [
          {
            partition,
            currentLeaderEpoch: -1,
            fetchOffset: offset,
            logStartOffset: -1,
            partitionMaxBytes,
          },
        ],
      },
    ],
    forgottenTopics: [],
    rackId: '',
  };
}

export async function fetchRaw(client: RawClient, topic: string, options: FetchOptions = {}) {
  const response = await client.request(apis.fetch, options.version ?? 11, fetchRequest(topic, options));
  const partition = response.topics[0]?.partitions[0];
  ensure(partition !== undefined, 'a fetch response without the partition');
  return { ...partition, records: partition.records ?? Buffer.alloc(0) };
}

/** Waits up to 40 seconds for a condition: a genuine broker is slow after a crash. */
export async function eventually(
  condition: () => Promise<boolean> | boolean,
  message = 'in time',
): Promise<void> {
  for (const deadline = Date.now() + 40_000; Date.now() < deadline;) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`the condition did not come true: ${message}`);
}

/** The error of a failed kafkajs call. */
export async function errorType(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return 'none';
  } catch (error) {
    const { type, errors, name } = error as { type?: string; errors?: { type?: string }[]; name: string };
    return errors?.map((each) => each.type).join(',') ?? type ?? name;
  }
}
