import type { KafkaMessage } from 'kafkajs';
import { ReadAhead } from './read-ahead';

const TOPIC = 'alert.v1';
const PARTITION = 3;

const message = (offset: number, key: string): KafkaMessage => ({
  key: Buffer.from(key),
  value: Buffer.from('{}'),
  timestamp: '0',
  attributes: 0,
  offset: String(offset),
  headers: {},
});
/** Messages from an offset on, one for each key. */
const from = (offset: number, ...keys: string[]): KafkaMessage[] =>
  keys.map((key, at) => message(offset + at, key));
const many = (offset: number, key: string, count: number): KafkaMessage[] =>
  from(offset, ...Array.from({ length: count }, () => key));
const offsetsOf = (messages: readonly KafkaMessage[] = []): string[] => messages.map(({ offset }) => offset);

describe('ReadAhead', () => {
  let ahead: ReadAhead;
  const divide = (messages: KafkaMessage[]): string[] => offsetsOf(ahead.divide(TOPIC, PARTITION, messages));
  const take = (most: number) => ahead.take(most, () => true);
  const committable = (offset: number): string | undefined =>
    ahead.committable(
      {
        topics: [{ topic: `test-${TOPIC}`, partitions: [{ partition: PARTITION, offset: String(offset) }] }],
      },
      'test-',
    ).topics[0]?.partitions[0]?.offset;

  beforeEach(() => {
    ahead = new ReadAhead({ topics: [TOPIC], eventsPerKey: 2, maxBytes: 10_000 });
  });

  it('lets the messages of a key with many wait, and those of other keys pass', () => {
    expect(divide(from(0, 'heavy', 'light', 'heavy', 'heavy', 'other', 'light'))).toEqual(['1', '4', '5']);
    expect(offsetsOf(take(10)?.messages)).toEqual(['0', '2', '3']);
  });

  it('lets a message wait behind earlier ones of its key, also while they are in work', () => {
    divide(many(0, 'heavy', 3));
    const batch = take(10)!;
    expect(divide(from(3, 'heavy', 'light'))).toEqual(['4']);
    ahead.done(batch);
    const next = take(10)!;
    expect(offsetsOf(next.messages)).toEqual(['3']);
    ahead.done(next);
    expect(divide(from(5, 'heavy'))).toEqual(['5']);
  });

  it('takes of the keys in turn, each in its order', () => {
    divide([...many(0, 'a', 5), ...many(5, 'b', 4)]);
    const order: string[] = [];
    for (let batch = take(3); batch; batch = take(3)) {
      order.push(offsetsOf(batch.messages).join(' '));
      ahead.done(batch);
    }
    expect(order).toEqual(['0 1 2', '5 6 7', '3 4 8']);
  });

  it('takes of the partitions in turn, and of none that has to wait', () => {
    for (const partition of [0, 1]) ahead.divide(TOPIC, partition, many(0, 'heavy', 4));
    const partitions: number[] = [];
    for (let taken = 0; taken < 4; taken += 1) {
      const batch = take(2)!;
      partitions.push(batch.partition);
      ahead.done(batch);
    }
    expect(partitions).toEqual([0, 1, 0, 1]);
    divide(many(10, 'heavy', 3));
    expect(ahead.take(2, () => false)).toBeUndefined();
  });

  it('commits nothing from the first message that waits or is in work on', () => {
    divide([...from(8, 'light'), ...many(9, 'heavy', 4)]);
    expect(committable(13)).toBe('9');
    const batch = take(2)!;
    expect(committable(13)).toBe('9');
    ahead.done(batch);
    expect(committable(13)).toBe('11');
    ahead.done(take(2)!);
    expect(committable(13)).toBe('13');
  });

  it('puts messages back in their order', () => {
    divide(many(0, 'heavy', 4));
    ahead.putBack(take(2)!);
    expect(offsetsOf(take(10)?.messages)).toEqual(['0', '1', '2', '3']);
  });

  it('takes no message twice when Kafka sends it again', () => {
    const messages = [...many(0, 'heavy', 4), ...from(4, 'light')];
    divide(messages);
    expect(divide(messages)).toEqual(['4']);
    expect(offsetsOf(take(10)?.messages)).toEqual(['0', '1', '2', '3']);
  });

  it('is full from its bytes on, until messages are handled', () => {
    divide(many(0, 'heavy', 12));
    expect(ahead.isFull).toBe(true);
    ahead.done(take(6)!);
    expect(ahead.isFull).toBe(false);
  });

  it('forgets all messages, and those in work no longer count', () => {
    divide(many(0, 'heavy', 12));
    const batch = take(6)!;
    ahead.clear();
    expect(ahead.isCurrent(batch)).toBe(false);
    ahead.done(batch);
    ahead.putBack(batch);
    expect([take(10), ahead.isFull, committable(12)]).toEqual([undefined, false, '12']);
  });
});
