import type { EventTopic } from '@plimsoll/contracts';
import type { EventBusOptions } from '../options';
import { kafkaClient } from './client';

/** How far a group is in one partition. */
export interface PartitionProgress {
  partition: number;
  /** Offset that the partition's next event will get. */
  end: bigint;
  /** Everything before this offset is handled; it is committed a little after that. */
  handled: bigint;
}

/**
 * How far the service's group is in each partition of a topic. Rejects with a Kafka error when the broker stays away or the topic
 * does not exist.
 */
export async function consumerProgress(
  options: Pick<EventBusOptions, 'groupId' | 'brokers' | 'clientId' | 'topicPrefix' | 'logger'>,
  topic: EventTopic,
): Promise<PartitionProgress[]> {
  const prefix = options.topicPrefix ?? '';
  const name = prefix + topic;
  const admin = kafkaClient(options, 'progress').kafka.admin();
  try {
    await admin.connect();
    const ends = await admin.fetchTopicOffsets(name);
    const [group] = await admin.fetchOffsets({ groupId: prefix + options.groupId, topics: [name] });
    const committed = new Map(
      group?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)] as const),
    );
    return ends.map(({ partition, low, high }) => {
      const next = committed.get(partition) ?? -1n;
      // A group that has committed nothing begins with the oldest event.
      return { partition, end: BigInt(high), handled: next < 0n ? BigInt(low) : next };
    });
  } finally {
    await admin.disconnect();
  }
}
