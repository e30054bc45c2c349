import { apis, newBatch } from '@plimsoll/local-broker';
import type { Check } from '../check';
import {
  adminOf,
  consumerOf,
  eventually,
  fetchRaw,
  kafkaOf,
  produceRaw,
  rawClient,
  topicOf,
} from './helpers';
import { GroupMember, stableGroup } from './group-member';

/** Retries of a client that waits until a genuine broker has started again. */
const RETRIES = 100;
const NO_MEMBER = { memberId: '', generation: -1 };

export const crashChecks: readonly Check[] = [
  {
    name: 'crash: topics, configurations, records, offsets and producers are as they were',
    run: async (context) => {
      const configs = { 'cleanup.policy': 'compact', 'segment.ms': '86400000' };
      const topic = await topicOf(context, { partitions: 2, configs });
      const before = await rawClient(context);
      const { producerId } = await before.request(apis.initProducerId, 1, {
        transactionalId: null,
        transactionTimeoutMs: 60_000,
      });
      // The current time, because a genuine broker removes producers with records older than a day when it
      // starts.
      const records = ['a', 'b'].map((key) => ({
        key: Buffer.from(key),
        value: null,
        timestamp: Date.now(),
      }));
      const sequence = (baseSequence: number) =>
        newBatch(records, { producerId, producerEpoch: 0, baseSequence });
      for (const at of [0, 2, 4]) await produceRaw(before, topic, sequence(at));
      const alone = await GroupMember.connect(context, context.name('alone'));
      await alone.commit(topic, 4, { ...NO_MEMBER, metadata: 'kept' });

      await context.crash();

      const admin = await adminOf(context);
      await eventually(async () => (await admin.listTopics()).includes(topic), 'the topic');
      const after = await rawClient(context);
      await eventually(async () => (await fetchRaw(after, topic)).errorCode === 0, 'the leader');
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: 2, name: topic, configNames: Object.keys(configs) }],
      });
      const group = await GroupMember.connect(context, context.name('alone'));
      await eventually(async () => (await group.fetchOffsets(topic))[0]?.[0] === 4, 'the offset');
      const next = await after.request(apis.initProducerId, 1, {
        transactionalId: null,
        transactionTimeoutMs: 60_000,
      });
      return {
        configs: resources[0]?.configEntries
          .map(({ configName, configValue }) => [configName, configValue])
          .sort(),
        highWatermark: (await fetchRaw(after, topic)).highWatermark,
        duplicate: await produceRaw(after, topic, sequence(4)),
        gap: await produceRaw(after, topic, sequence(8)),
        next: await produceRaw(after, topic, sequence(6)),
        committed: await group.fetchOffsets(topic),
        newProducerId: next.producerId !== producerId,
      };
    },
  },
  {
    name: 'crash: a generation from before cannot commit over one from after',
    run: async (context) => {
      const topic = await topicOf(context);
      const [former] = await stableGroup(context, 1);
      const groupId = former?.groupId ?? '';
      await former?.commit(topic, 5);
      const generation = former?.generation ?? 0;

      await context.crash();

      // The former member leaves or was removed. Then a new one has the group.
      const cleaner = await GroupMember.connect(context, groupId);
      await eventually(
        async () => ![14, 15, 16].includes((await cleaner.leave(former?.memberId))[1] ?? 0),
        'left',
      );
      const member = await GroupMember.connect(context, groupId);
      await member.join();
      await member.sync([member]);
      const stale = { memberId: former?.memberId ?? '', generation };
      return [
        member.generation > generation,
        await member.commit(topic, 9, stale),
        await member.commit(topic, 9, { generation }),
        await member.commit(topic, 6),
        await member.fetchOffsets(topic),
      ];
    },
  },
  {
    name: 'crash: kafkajs producers and consumers go on by themselves, and no acknowledged message is lost',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 3 });
      const consumer = await consumerOf(context, context.name('group'), RETRIES);
      await consumer.subscribe({ topic, fromBeginning: true });
      const seen = new Map<string, number[]>();
      await consumer.run({
        eachMessage: async ({ message }) => {
          const key = String(message.key);
          seen.set(key, [...(seen.get(key) ?? []), Number(message.value)]);
        },
      });
      const producer = kafkaOf(context, RETRIES).producer({ idempotent: true, maxInFlightRequests: 1 });
      await producer.connect();
      context.defer(() => producer.disconnect());
      const acknowledged: number[] = [];
      const produce = async (from: number, to: number): Promise<void> => {
        for (let value = from; value < to; value += 1) {
          await producer.send({
            topic,
            acks: -1,
            messages: [{ key: `k${value % 5}`, value: String(value) }],
          });
          acknowledged.push(value);
        }
      };
      await produce(0, 50);
      await Promise.all([produce(50, 150), context.crash()]);
      const distinct = (): Set<number> => new Set([...seen.values()].flat());
      await eventually(() => distinct().size === 150, 'all messages');
      const firstSeen = [...seen.values()].map((list) => [...new Set(list)]);
      const inOrder = firstSeen.every((list) =>
        list.every((value, at) => at === 0 || value > (list[at - 1] ?? 0)),
      );
      return [acknowledged.length, distinct().size, inOrder];
    },
  },
];
