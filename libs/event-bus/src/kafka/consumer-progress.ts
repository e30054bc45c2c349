import type { EventTopic } from '@plimsoll/contracts';
import type { EventBusOptions, KafkaOptions } from '../options';
import { kafkaClient } from './client';

/** Progress of a group in one partition. */
export interface PartitionProgress {
  partition: number;
  /** Offset that the partition's next event will get. */
  end: bigint;
  /** Every event before this offset is handled. The offset is committed shortly afterwards. */
  handled: bigint;
}

/**
 * Returns the progress of the service's group in each partition of a topic. Rejects with a Kafka error when
 * the broker stays unavailable or the topic does not exist.
 */
export async function consumerProgress(
  options: KafkaOptions & Pick<EventBusOptions, 'groupId'>,
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
      // A group without commits begins with the oldest event.
      return { partition, end: BigInt(high), handled: next < 0n ? BigInt(low) : next };
    });
  } finally {
    await admin.disconnect();
  }
}
