import { STREAMS, type StreamName } from '@plimsoll/contracts';

/** Topics of each stream. Add new ones at the end, because every cursor depends on the order. */
export const TOPICS_OF = {
  positions: ['position.v1'],
  alerts: ['alert.v1', 'alert-change.v1', 'alert-group.v1'],
  whales: ['whale.v1'],
} as const satisfies Record<StreamName, readonly string[]>;

export type StreamTopic = (typeof TOPICS_OF)[StreamName][number];

/**
 * A partition of one of the topics of a stream. Their numbers alternate between the topics, so that each
 * topic may gain partitions.
 */
export interface StreamPartition {
  stream: StreamName;
  number: number;
}

const STREAM_OF = new Map(
  STREAMS.flatMap((stream) =>
    TOPICS_OF[stream].map((topic, at): [StreamTopic, { stream: StreamName; at: number }] => [
      topic,
      { stream, at },
    ]),
  ),
);

export function isStreamTopic(topic: string): topic is StreamTopic {
  return STREAM_OF.has(topic as StreamTopic);
}

export function streamPartitionOf(topic: StreamTopic, partition: number): StreamPartition {
  const { stream, at } = STREAM_OF.get(topic) as { stream: StreamName; at: number };
  return { stream, number: partition * TOPICS_OF[stream].length + at };
}

/** Returns the values of a stream's partitions by topic and partition of the topic. */
export function byTopic<T>(
  stream: StreamName,
  partitions: readonly T[],
): Partial<Record<StreamTopic, Record<number, T>>> {
  const topics = TOPICS_OF[stream];
  return Object.fromEntries(
    topics.map((topic, at) => {
      const own = partitions.filter((_, number) => number % topics.length === at);
      return [topic, Object.fromEntries(own.entries())];
    }),
  );
}
