import { STREAMS, type StreamName } from '@plimsoll/contracts';

/** Topics of each stream. Add new ones at the end, because every cursor depends on the order. */
export const TOPICS_OF = {
  positions: ['position.v1'],
  alerts: ['alert.v1', 'alert-change.v1', 'alert-group.v1'],
  whales: ['whale.v1'],
} as const satisfies Record<StreamName, readonly string[]>;

export type StreamTopic = (typeof TOPICS_OF)[StreamName][number];

/**
 * A partition of one of the topics of a stream. Lanes alternate between the topics, so that each topic may
 * gain partitions.
 */
export interface EventLane {
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

export function laneOf(topic: StreamTopic, partition: number): EventLane {
  const { stream, at } = STREAM_OF.get(topic) as { stream: StreamName; at: number };
  return { stream, number: partition * TOPICS_OF[stream].length + at };
}

/** Returns the values of a stream's lanes by topic and partition. */
export function byTopic<T>(
  stream: StreamName,
  lanes: readonly T[],
): Partial<Record<StreamTopic, Record<number, T>>> {
  const topics = TOPICS_OF[stream];
  return Object.fromEntries(
    topics.map((topic, at) => {
      const own = lanes.filter((_, lane) => lane % topics.length === at);
      return [topic, Object.fromEntries(own.entries())];
    }),
  );
}
