import { RecordBatch, apis, decodeRecords } from '@plimsoll/local-broker';
import { ensure, type Check } from '../check';
import {
  adminOf,
  batch,
  consumerOf,
  eventually,
  fetchRaw,
  fetchRequest,
  produceRaw,
  rawClient,
  send,
  topicOf,
} from './helpers';

/** Base offset of each batch. */
function baseOffsets(records: Buffer): number[] {
  const offsets: number[] = [];
  for (let at = 0; at + 61 <= records.length;) {
    const found = new RecordBatch(records.subarray(at));
    if (at + found.sizeInBytes > records.length) break;
    offsets.push(found.baseOffset);
    at += found.sizeInBytes;
  }
  return offsets;
}

export const fetchChecks: readonly Check[] = [
  {
    name: 'Fetch: what was produced, byte for byte',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      await produceRaw(client, topic, batch(['one', null, 'three']));
      const { records, ...rest } = await fetchRaw(client, topic);
      const received = new RecordBatch(records);
      ensure(received.isIntact(), 'the checksum is wrong');
      const values = decodeRecords(received).map(({ key, value }) => [String(key), value && String(value)]);
      return { values, ...rest, abortedTransactions: rest.abortedTransactions?.length ?? 0 };
    },
  },
  {
    name: 'Fetch: every version from 4 on',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      await produceRaw(client, topic, batch(['one']));
      const found: number[][] = [];
      for (let version = 4; version <= 11; version += 1) {
        found.push(baseOffsets((await fetchRaw(client, topic, { version })).records));
      }
      return found;
    },
  },
  {
    name: 'Fetch: from the middle of a batch it returns the whole batch',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      await produceRaw(client, topic, batch(['a', 'b', 'c']));
      await produceRaw(client, topic, batch(['d']));
      return [
        baseOffsets((await fetchRaw(client, topic, { offset: 2 })).records),
        baseOffsets((await fetchRaw(client, topic, { offset: 3 })).records),
      ];
    },
  },
  {
    name: 'Fetch: an empty partition, the end, and offsets out of range',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      const at = async (offset: number) => {
        const { errorCode, highWatermark, records } = await fetchRaw(client, topic, { offset });
        return [errorCode, highWatermark, records.length];
      };
      const empty = await at(0);
      await produceRaw(client, topic, batch(['a']));
      return [empty, await at(1), await at(2), await at(-1)];
    },
  },
  {
    name: 'Fetch: an unknown topic and an unknown partition',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      return [
        (await fetchRaw(client, context.name('missing'))).errorCode,
        (await fetchRaw(client, topic, { partition: 9 })).errorCode,
      ];
    },
  },
  {
    name: 'Fetch: waits for the longest time without records',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      const startedAt = performance.now();
      await fetchRaw(client, topic, { maxWaitMs: 600 });
      const ms = performance.now() - startedAt;
      return ms >= 590 && ms < 2_500;
    },
  },
  {
    name: 'Fetch: responds as soon as a record arrives',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      const startedAt = performance.now();
      const waiting = fetchRaw(client, topic, { maxWaitMs: 20_000 });
      await new Promise((resolve) => setTimeout(resolve, 200));
      await produceRaw(await rawClient(context), topic, batch(['a']));
      const { records } = await waiting;
      return [baseOffsets(records), performance.now() - startedAt < 5_000];
    },
  },
  {
    name: 'Fetch: waits for the requested number of bytes',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      const other = await rawClient(context);
      await produceRaw(other, topic, batch(['a']));
      const waiting = fetchRaw(client, topic, { maxWaitMs: 20_000, minBytes: 1_500 });
      await new Promise((resolve) => setTimeout(resolve, 200));
      await produceRaw(other, topic, batch(['x'.repeat(2_000)]));
      return baseOffsets((await waiting).records);
    },
  },
  {
    name: 'Fetch: fewer bytes than requested when the time is over',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      await produceRaw(client, topic, batch(['a']));
      return baseOffsets((await fetchRaw(client, topic, { maxWaitMs: 300, minBytes: 100_000 })).records);
    },
  },
  {
    name: 'Fetch: returns a batch larger than the limits whole',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      await produceRaw(client, topic, batch(['x'.repeat(5_000)]));
      await produceRaw(client, topic, batch(['b']));
      const { records } = await fetchRaw(client, topic, { maxBytes: 10, partitionMaxBytes: 10 });
      return baseOffsets(records);
    },
  },
  {
    name: 'Fetch: stays within the limit of the partition',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      for (let left = 10; left > 0; left -= 1) await produceRaw(client, topic, batch(['x'.repeat(1_000)]));
      const { records } = await fetchRaw(client, topic, { partitionMaxBytes: 3_500 });
      return [baseOffsets(records), records.length <= 3_500];
    },
  },
  {
    name: 'Fetch: stays within the limit of the response, over partitions',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 2 });
      const client = await rawClient(context);
      for (const partition of [0, 1]) {
        await produceRaw(client, topic, batch(['x'.repeat(3_000)]), { partition });
      }
      const request = fetchRequest(topic, { maxBytes: 3_200 });
      const [first] = request.topics[0]?.partitions ?? [];
      ensure(first !== undefined, 'a request without its partition');
      request.topics[0]?.partitions.push({ ...first, partition: 1 });
      const { topics } = await client.request(apis.fetch, 11, request);
      return topics[0]?.partitions.map(({ records }) => baseOffsets(records ?? Buffer.alloc(0)));
    },
  },
  {
    name: 'Fetch: read_committed reads what has no transaction',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      await produceRaw(client, topic, batch(['a']));
      const { records, lastStableOffset } = await fetchRaw(client, topic, { isolationLevel: 1 });
      return [baseOffsets(records), lastStableOffset];
    },
  },
  {
    name: 'Fetch: a session that there is not',
    run: async (context) => {
      const client = await rawClient(context);
      const topic = await topicOf(context);
      const request = { ...fetchRequest(topic), sessionId: 4_711, sessionEpoch: 3 };
      return (await client.request(apis.fetch, 11, request)).errorCode;
    },
  },
  {
    name: 'kafkajs reads keys, values, tombstones, headers and times as they were sent',
    run: async (context) => {
      const topic = await topicOf(context);
      await send(context, topic, [
        { key: 'a', value: 'one', headers: { ce_id: '1', list: ['x', 'y'] }, timestamp: '1700000000123' },
        { key: 'b', value: null, timestamp: '1700000000456' },
        { key: null, value: 'no key', timestamp: '1700000000789' },
      ]);
      const consumer = await consumerOf(context, context.name('group'));
      await consumer.subscribe({ topic, fromBeginning: true });
      const found: unknown[] = [];
      await consumer.run({
        eachMessage: async ({ message: { key, value, headers, timestamp, offset } }) => {
          const text = Object.entries(headers ?? {}).map(([name, each]) => [name, String(each)]);
          found.push([key && String(key), value && String(value), text, timestamp, offset]);
        },
      });
      await eventually(() => found.length === 3, 'three messages');
      return found;
    },
  },
  {
    name: 'kafkajs keeps the order of each key over 2,000 messages and six partitions',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 6 });
      const messages = Array.from({ length: 2_000 }, (_, at) => ({ key: `k${at % 37}`, value: String(at) }));
      await send(context, topic, messages);
      const consumer = await consumerOf(context, context.name('group'));
      await consumer.subscribe({ topic, fromBeginning: true });
      const byKey = new Map<string, number[]>();
      let count = 0;
      await consumer.run({
        eachMessage: async ({ message }) => {
          const key = String(message.key);
          byKey.set(key, [...(byKey.get(key) ?? []), Number(message.value)]);
          count += 1;
        },
      });
      await eventually(() => count >= 2_000, 'all messages');
      const inOrder = [...byKey.values()].every((list) =>
        list.every((value, at) => at === 0 || value > (list[at - 1] ?? 0)),
      );
      const offsets = await (await adminOf(context)).fetchTopicOffsets(topic);
      return [count, inOrder, offsets.map(({ partition, high }) => [partition, high]).sort()];
    },
  },
];
