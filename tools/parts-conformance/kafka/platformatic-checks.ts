import {
  Admin,
  Consumer,
  Producer,
  stringDeserializers,
  stringSerializers,
  type Message,
} from '@platformatic/kafka';
import { ensure, type Check, type CheckContext } from '../check';
import { adminOf, consumerOf, eventually, producerOf, topicOf } from './helpers';

type TextMessage = Message<string, string, string, string>;
type TextConsumer = Consumer<string, string, string, string>;
type TextProducer = Producer<string, string, string, string>;

const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;

function optionsOf({ address }: CheckContext) {
  return { clientId: 'conformance', bootstrapBrokers: [address], retries: 200, retryDelay: 250 };
}

function platformaticProducer(context: CheckContext): TextProducer {
  const producer = new Producer({
    ...optionsOf(context),
    serializers: stringSerializers,
    idempotent: true,
    autocreateTopics: false,
  });
  context.defer(() => producer.close());
  return producer;
}

function platformaticConsumer(context: CheckContext, groupId: string): TextConsumer {
  const consumer = new Consumer({
    ...optionsOf(context),
    groupId,
    deserializers: stringDeserializers,
    sessionTimeout: 6_000,
    heartbeatInterval: 300,
    maxWaitTime: 100,
    autocommit: false,
  });
  context.defer(() => consumer.close(true));
  return consumer;
}

function numbered(topic: string, from: number, to: number) {
  return Array.from({ length: to - from }, (_, at) => ({
    topic,
    key: `key ${(from + at) % 4}`,
    value: String(from + at),
    headers: { number: String(from + at) },
  }));
}

interface Reading {
  readonly messages: TextMessage[];
  stop(): Promise<void>;
}

/** Consumes from the committed offsets, or else from the beginning. */
async function read(consumer: TextConsumer, topic: string): Promise<Reading> {
  const stream = await consumer.consume({ topics: [topic], mode: 'committed', fallbackMode: 'earliest' });
  const messages: TextMessage[] = [];
  stream.on('data', (message) => messages.push(message));
  // A broker that is down does not fail the check. The records decide.
  stream.on('error', () => undefined);
  return { messages, stop: () => stream.close() };
}

const valuesOf = (messages: readonly TextMessage[]): number[] =>
  messages.map(({ value }) => Number(value)).sort((a, b) => a - b);

/** Commits everything that was read. */
async function commitAll(consumer: TextConsumer, messages: readonly TextMessage[]): Promise<void> {
  const next = new Map<number, TextMessage>();
  for (const message of messages) {
    if (message.offset >= (next.get(message.partition)?.offset ?? -1n)) next.set(message.partition, message);
  }
  const offsets = [...next.values()].map(({ topic, partition, offset }) => ({
    topic,
    partition,
    offset: offset + 1n,
    leaderEpoch: -1,
  }));
  await consumer.commit({ offsets });
}

export const platformaticChecks: readonly Check[] = [
  {
    name: '@platformatic/kafka: creates, lists and deletes topics',
    run: async (context) => {
      const admin = new Admin(optionsOf(context));
      context.defer(() => admin.close());
      const name = context.name('topic');
      await admin.createTopics({ topics: [name], partitions: 3, replicas: 1 });
      await eventually(async () => (await admin.listTopics()).includes(name), 'the topic');
      const { topics } = await (await adminOf(context)).fetchTopicMetadata({ topics: [name] });
      await admin.deleteTopics({ topics: [name] });
      await eventually(async () => !(await admin.listTopics()).includes(name), 'no topic');
      return topics[0]?.partitions.length;
    },
  },
  ...CODECS.map((compression): Check => ({
    name: `@platformatic/kafka: an idempotent producer and a consumer, compression ${compression}`,
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 3 });
      const producer = platformaticProducer(context);
      const sent = await producer.send({ messages: numbered(topic, 0, 12), acks: -1, compression });
      const { messages } = await read(platformaticConsumer(context, context.name('group')), topic);
      await eventually(() => messages.length === 12, 'all messages');
      return [
        sent.offsets?.map(({ partition, offset }) => [partition, Number(offset)]).sort(),
        valuesOf(messages),
        messages.every(({ value, headers }) => headers.get('number') === value),
      ];
    },
  })),
  {
    name: '@platformatic/kafka: commits, and another consumer of the group resumes there',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 3 });
      const group = context.name('group');
      const producer = platformaticProducer(context);
      await producer.send({ messages: numbered(topic, 0, 10), acks: -1 });
      const first = platformaticConsumer(context, group);
      const former = await read(first, topic);
      await eventually(() => former.messages.length === 10, 'the first messages');
      await commitAll(first, former.messages);
      await first.close(true);
      await producer.send({ messages: numbered(topic, 10, 15), acks: -1 });
      const second = platformaticConsumer(context, group);
      const later = await read(second, topic);
      await eventually(() => later.messages.length === 5, 'the later messages');
      await commitAll(second, later.messages);
      const committed = await second.listCommittedOffsets({ topics: [{ topic, partitions: [0, 1, 2] }] });
      return [valuesOf(later.messages), committed.get(topic)?.map(Number)];
    },
  },
  {
    name: '@platformatic/kafka: two consumers share the partitions, and one takes over when the other leaves',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 4 });
      const group = context.name('group');
      const members = [platformaticConsumer(context, group), platformaticConsumer(context, group)] as const;
      for (const member of members) await read(member, topic);
      const shares = (): number[] =>
        members.map(({ assignments }) => assignments?.flatMap(({ partitions }) => partitions).length ?? 0);
      await eventually(() => shares().every((share) => share === 2), 'two partitions each');
      await members[0].close(true);
      await eventually(() => shares()[1] === 4, 'all partitions');
      return shares()[1];
    },
  },
  {
    name: '@platformatic/kafka: kafkajs reads what it sends, and the other way round',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 2 });
      const ours = await producerOf(context);
      await ours.send({ topic, acks: -1, messages: numbered(topic, 0, 5) });
      await platformaticProducer(context).send({ messages: numbered(topic, 5, 10), acks: -1 });
      const { messages } = await read(platformaticConsumer(context, context.name('theirs')), topic);
      const consumer = await consumerOf(context, context.name('ours'));
      await consumer.subscribe({ topic, fromBeginning: true });
      const seen: string[] = [];
      await consumer.run({
        eachMessage: async ({ partition, message }) => {
          seen.push(`${partition} ${String(message.key)} ${String(message.value)}`);
        },
      });
      await eventually(() => seen.length === 10 && messages.length === 10, 'all messages in both');
      const theirs = messages.map(({ partition, key, value }) => `${partition} ${key} ${value}`);
      // Both choose the partition by murmur2 of the key.
      return [seen.sort(), theirs.sort()];
    },
  },
  {
    name: '@platformatic/kafka: a transaction commits, or the client reports that the broker has none',
    run: async (context) => {
      const topic = await topicOf(context);
      const producer = new Producer({
        ...optionsOf(context),
        retries: 0,
        serializers: stringSerializers,
        idempotent: true,
        transactionalId: context.name('transaction'),
      });
      context.defer(() => producer.close(true));
      try {
        const transaction = await producer.beginTransaction();
        await transaction.send({ messages: numbered(topic, 0, 1) });
        await transaction.commit();
      } catch (error) {
        const { code } = error as { code?: string };
        ensure(code === 'PLT_KFK_UNSUPPORTED_API', `another failure: ${String(error)}`);
      }
      return true;
    },
  },
  {
    name: 'crash: @platformatic/kafka continues by itself, and no acknowledged message is lost',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 3 });
      const producer = platformaticProducer(context);
      const { messages } = await read(platformaticConsumer(context, context.name('group')), topic);
      const acknowledged: number[] = [];
      const produce = async (from: number, to: number): Promise<void> => {
        for (let value = from; value < to; value += 1) {
          await producer.send({ messages: numbered(topic, value, value + 1), acks: -1 });
          acknowledged.push(value);
        }
      };
      await produce(0, 50);
      await Promise.all([produce(50, 150), context.crash()]);
      const distinct = (): Set<number> => new Set(valuesOf(messages));
      await eventually(() => distinct().size === 150, 'all messages');
      return [acknowledged.length, distinct().size];
    },
  },
];
