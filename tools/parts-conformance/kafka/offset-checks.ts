import { apis, newBatch } from '@plimsoll/local-broker';
import type { Check, CheckContext } from '../check';
import { TIME, adminOf, batch, fetchRaw, produceRaw, rawClient, topicOf } from './helpers';

const LATEST = -1;
const EARLIEST = -2;

async function listed(
  context: CheckContext,
  topic: string,
  timestamps: number[],
  version = 3,
): Promise<number[][]> {
  const client = await rawClient(context);
  const found: number[][] = [];
  for (const timestamp of timestamps) {
    const { topics } = await client.request(apis.listOffsets, version, {
      replicaId: -1,
      isolationLevel: 0,
      topics: [{ name: topic, partitions: [{ partitionIndex: 0, timestamp }] }],
    });
    for (const response of topics[0]?.partitions ?? []) {
      found.push([response.errorCode, response.offset, response.timestamp]);
    }
  }
  return found;
}

async function deleteBefore(
  context: CheckContext,
  topic: string,
  offset: number,
  partition = 0,
): Promise<number[][]> {
  const client = await rawClient(context);
  const { topics } = await client.request(apis.deleteRecords, 1, {
    topics: [{ name: topic, partitions: [{ partitionIndex: partition, offset }] }],
    timeoutMs: 10_000,
  });
  return (topics[0]?.partitions ?? []).map(({ errorCode, lowWatermark }) => [errorCode, lowWatermark]);
}

/** Four records in two batches, at TIME, TIME+1, TIME+10 and TIME+11. */
async function filledTopic(context: CheckContext, configs: Record<string, string> = {}): Promise<string> {
  const topic = await topicOf(context, { configs });
  const client = await rawClient(context);
  await produceRaw(client, topic, batch(['a', 'b']));
  const later = ['c', 'd'].map((value, at) => ({
    key: Buffer.from(value),
    value: Buffer.from(value),
    timestamp: TIME + 10 + at,
  }));
  await produceRaw(client, topic, newBatch(later));
  return topic;
}

export const offsetChecks: readonly Check[] = [
  {
    name: 'ListOffsets: an empty partition begins and ends at 0',
    run: async (context) => listed(context, await topicOf(context), [EARLIEST, LATEST, TIME]),
  },
  {
    name: 'ListOffsets: earliest and latest',
    run: async (context) => listed(context, await filledTopic(context), [EARLIEST, LATEST]),
  },
  {
    name: 'ListOffsets: by time the first record of that time or later',
    run: async (context) =>
      listed(context, await filledTopic(context), [
        0,
        TIME,
        TIME + 1,
        TIME + 2,
        TIME + 10,
        TIME + 11,
        TIME + 12,
      ]),
  },
  {
    name: 'ListOffsets: in versions 1 and 2',
    run: async (context) => {
      const topic = await filledTopic(context);
      return [
        await listed(context, topic, [LATEST, TIME], 1),
        await listed(context, topic, [LATEST, TIME], 2),
      ];
    },
  },
  {
    name: 'ListOffsets: an unknown topic',
    run: (context) => listed(context, context.name('missing'), [LATEST]),
  },
  {
    name: 'kafkajs: offsets of a topic by time, also beyond its end',
    run: async (context) => {
      const topic = await filledTopic(context);
      const admin = await adminOf(context);
      return [
        await admin.fetchTopicOffsets(topic),
        await admin.fetchTopicOffsetsByTimestamp(topic, TIME + 5),
        await admin.fetchTopicOffsetsByTimestamp(topic, TIME + 500),
      ];
    },
  },
  {
    name: 'DeleteRecords: the log begins at the offset',
    run: async (context) => {
      const topic = await filledTopic(context);
      const deleted = await deleteBefore(context, topic, 3);
      const client = await rawClient(context);
      const before = await fetchRaw(client, topic, { offset: 2 });
      const after = await fetchRaw(client, topic, { offset: 3 });
      return [
        deleted,
        await listed(context, topic, [EARLIEST, LATEST, TIME]),
        before.errorCode,
        [after.errorCode, after.logStartOffset],
      ];
    },
  },
  {
    name: 'DeleteRecords: removes all of them, and later ones stay',
    run: async (context) => {
      const topic = await filledTopic(context);
      const deleted = await deleteBefore(context, topic, -1);
      const { baseOffset } = await produceRaw(await rawClient(context), topic, batch(['e']));
      return [deleted, baseOffset, await listed(context, topic, [EARLIEST, LATEST])];
    },
  },
  {
    name: 'DeleteRecords: an offset that was deleted before changes nothing',
    run: async (context) => {
      const topic = await filledTopic(context);
      return [await deleteBefore(context, topic, 3), await deleteBefore(context, topic, 1)];
    },
  },
  {
    name: 'DeleteRecords: beyond the end, of an unknown partition, of a compacted topic',
    run: async (context) => {
      const topic = await filledTopic(context);
      const compacted = await filledTopic(context, { 'cleanup.policy': 'compact' });
      return [
        await deleteBefore(context, topic, 5),
        await deleteBefore(context, topic, 0, 7),
        await deleteBefore(context, compacted, 1),
      ];
    },
  },
];
