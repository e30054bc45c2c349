import fc from 'fast-check';
import { TOPICS_OF, byTopic, streamPartitionOf } from './stream-partitions';

describe('stream partitions', () => {
  it('are the partitions of the topics, each once', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('positions', 'alerts', 'whales'),
        fc.integer({ min: 1, max: 9 }),
        (stream, partitions) => {
          const partitionsOfStream = TOPICS_OF[stream].flatMap((topic) =>
            Array.from({ length: partitions }, (_, partition) => streamPartitionOf(topic, partition)),
          );
          expect(partitionsOfStream.every((each) => each.stream === stream)).toBe(true);
          const numbers = partitionsOfStream.map(({ number }) => number).sort((a, b) => a - b);
          expect(numbers).toEqual([...numbers.keys()]);
        },
      ),
    );
  });

  it('are returned by topic and partition', () => {
    const offsets = [10, 20, 30, 11, 21, 31, 12, 22, 32];
    expect(byTopic('alerts', offsets)).toEqual({
      'alert.v1': { 0: 10, 1: 11, 2: 12 },
      'alert-change.v1': { 0: 20, 1: 21, 2: 22 },
      'alert-group.v1': { 0: 30, 1: 31, 2: 32 },
    });
    expect(byTopic('whales', [1, 2])).toEqual({ 'whale.v1': { 0: 1, 1: 2 } });
    const { number } = streamPartitionOf('alert-change.v1', 2);
    expect(offsets[number]).toBe(22);
  });
});
