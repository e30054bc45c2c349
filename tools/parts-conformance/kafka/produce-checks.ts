import { COMPRESSION, RecordBatch, apis, newBatch } from '@plimsoll/local-broker';
import { ensure, type Check, type CheckContext } from '../check';
import { TIME, batch, eventually, fetchRaw, produceRaw, rawClient, topicOf } from './helpers';

/** Sends each batch in turn on one connection to one new topic. */
function outcomes(
  name: string,
  batches: (Buffer | null)[] | ((context: CheckContext) => Promise<(Buffer | null)[]>),
  configs: Record<string, string> = {},
): Check {
  return {
    name: `Produce: ${name}`,
    run: async (context) => {
      const topic = await topicOf(context, { configs });
      const client = await rawClient(context);
      const responses: [number, number][] = [];
      for (const each of typeof batches === 'function' ? await batches(context) : batches) {
        const { errorCode, baseOffset } = await produceRaw(client, topic, each);
        responses.push([errorCode, baseOffset]);
      }
      return responses;
    },
  };
}

/** A producer id that the part allocated. */
async function producerId(context: CheckContext, transactionalId: string | null = null): Promise<number> {
  return (await initProducerId(context, transactionalId)).producerId;
}

async function initProducerId(context: CheckContext, transactionalId: string | null, timeoutMs = 60_000) {
  const client = await rawClient(context);
  for (;;) {
    const response = await client.request(apis.initProducerId, 1, {
      transactionalId,
      transactionTimeoutMs: timeoutMs,
    });
    // The coordinator loads (14) or does not exist yet (15, 16): send the request again.
    if (![14, 15, 16].includes(response.errorCode)) return response;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1;
  return copy;
}

const sequences =
  (list: [sequence: number, epoch: number, size: number][]) =>
  async (context: CheckContext): Promise<Buffer[]> => {
    const id = await producerId(context);
    return list.map(([baseSequence, producerEpoch, size]) =>
      batch(
        Array.from({ length: size }, () => 'v'),
        { producerId: id, producerEpoch, baseSequence },
      ),
    );
  };

export const produceChecks: readonly Check[] = [
  outcomes('offsets count the records', [batch(['a', 'b', 'c']), batch(['d']), batch(['e', 'f'])]),
  {
    name: 'Produce: acks=1 is readable when it is acknowledged',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      await produceRaw(client, topic, batch(['a']), { acks: 1 });
      return (await fetchRaw(client, topic)).highWatermark;
    },
  },
  {
    name: 'Produce: acks=0 has no response, and the record arrives',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      client.send(apis.produce, 7, {
        transactionalId: null,
        acks: 0,
        timeoutMs: 1_000,
        topics: [{ name: topic, partitions: [{ index: 0, records: batch(['a']) }] }],
      });
      await eventually(async () => (await fetchRaw(client, topic)).highWatermark === 1);
      return 'came';
    },
  },
  {
    name: 'Produce: acks=2 is refused',
    run: async (context) => {
      const topic = await topicOf(context);
      return (await produceRaw(await rawClient(context), topic, batch(['a']), { acks: 2 })).errorCode;
    },
  },
  {
    name: 'Produce: every version from 3 on',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      const offsets: number[] = [];
      for (let version = 3; version <= 7; version += 1) {
        offsets.push((await produceRaw(client, topic, batch(['a']), { version })).baseOffset);
      }
      return offsets;
    },
  },
  {
    name: 'Produce: unknown topics and partitions',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      return [
        await produceRaw(client, context.name('missing'), batch(['a'])),
        await produceRaw(client, topic, batch(['a']), { partition: 5 }),
      ];
    },
  },
  outcomes('a damaged batch is refused', [damaged(batch(['a'])), batch(['b'])]),
  outcomes('a batch beyond max.message.bytes is refused', [batch(['x'.repeat(2_000)]), batch(['b'])], {
    'max.message.bytes': '1000',
  }),
  outcomes('two batches for one partition are refused', [Buffer.concat([batch(['a']), batch(['b'])])]),
  outcomes('a record count that is not the number of offsets is refused', [
    batch(['a'], { lastOffsetDelta: 4 }),
  ]),
  outcomes('a tombstone is taken', [batch([null])]),
  {
    name: 'Produce: a compacted topic refuses a record without a key',
    run: async (context) => {
      const topic = await topicOf(context, { configs: { 'cleanup.policy': 'compact' } });
      const client = await rawClient(context);
      const keyless = newBatch([{ key: null, value: Buffer.from('a'), timestamp: TIME }]);
      return [
        (await produceRaw(client, topic, keyless)).errorCode,
        (await produceRaw(client, topic, batch(['a']))).errorCode,
      ];
    },
  },
  {
    name: 'Produce: a timestamp of two hours from now is refused',
    run: async (context) => {
      const topic = await topicOf(context);
      const later = newBatch([{ key: null, value: null, timestamp: Date.now() + 7_200_000 }]);
      return (await produceRaw(await rawClient(context), topic, later)).errorCode;
    },
  },
  {
    name: 'Produce: compressed batches stay compressed as they came',
    run: async (context) => {
      const topic = await topicOf(context);
      const client = await rawClient(context);
      const sent = batch(['a'.repeat(500), 'b'], { compression: COMPRESSION.gzip });
      await produceRaw(client, topic, sent);
      const { records } = await fetchRaw(client, topic);
      const received = new RecordBatch(records);
      ensure(received.isIntact(), 'the checksum is wrong');
      return [received.compression, received.recordBytes.equals(new RecordBatch(sent).recordBytes)];
    },
  },
  outcomes('a repeated batch of an idempotent producer has its first offset', (context) =>
    sequences([
      [0, 0, 2],
      [2, 0, 2],
      [2, 0, 2],
      [0, 0, 2],
    ])(context),
  ),
  outcomes('a gap in the sequence is refused', (context) =>
    sequences([
      [0, 0, 2],
      [3, 0, 1],
      [2, 0, 1],
    ])(context),
  ),
  outcomes('a batch older than the last five is refused', (context) =>
    sequences([
      [0, 0, 1],
      [1, 0, 1],
      [2, 0, 1],
      [3, 0, 1],
      [4, 0, 1],
      [5, 0, 1],
      [0, 0, 1],
      [1, 0, 1],
    ])(context),
  ),
  outcomes('a new epoch begins at sequence 0, and fences the former one', (context) =>
    sequences([
      [0, 0, 1],
      [5, 1, 1],
      [0, 1, 1],
      [1, 0, 1],
      [1, 1, 1],
    ])(context),
  ),
  outcomes('a producer that the partition does not know may begin anywhere', (context) =>
    sequences([[7, 0, 1]])(context),
  ),
  {
    name: 'InitProducerId: every producer has an id of its own, at epoch 0',
    run: async (context) => {
      const first = await initProducerId(context, null);
      const second = await initProducerId(context, null);
      ensure(first.producerId !== second.producerId, 'one id twice');
      return [first.errorCode, first.producerEpoch, second.producerEpoch];
    },
  },
  {
    name: 'InitProducerId: a transactional id keeps its producer id, at the next epoch',
    run: async (context) => {
      const id = context.name('transactional');
      const first = await initProducerId(context, id);
      const second = await initProducerId(context, id);
      return [
        first.errorCode,
        second.errorCode,
        first.producerId === second.producerId,
        second.producerEpoch - first.producerEpoch,
      ];
    },
  },
  {
    name: 'InitProducerId: an empty transactional id and impossible times are refused',
    run: async (context) => [
      (await initProducerId(context, '')).errorCode,
      (await initProducerId(context, context.name('id'), 0)).errorCode,
      (await initProducerId(context, context.name('id'), 1_000_000)).errorCode,
    ],
  },
];
