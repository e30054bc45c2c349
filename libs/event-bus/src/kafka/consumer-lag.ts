import type { EventTopic } from '@plimsoll/contracts';
import type { EventBusOptions } from '../options';
import { kafkaClient } from './client';

/**
 * Events of a topic that the service's group has not handled yet; offsets are committed a little after the events are handled.
 * Rejects with a Kafka error when the broker stays away or the topic does not exist.
 */
export async function consumerLag(
  options: Pick<EventBusOptions, 'groupId' | 'brokers' | 'clientId' | 'topicPrefix' | 'logger'>,
  topic: EventTopic,
): Promise<bigint> {
  const prefix = options.topicPrefix ?? '';
  const name = prefix + topic;
  const admin = kafkaClient(options, 'lag').kafka.admin();
  try {
    await admin.connect();
    const ends = await admin.fetchTopicOffsets(name);
    const [group] = await admin.fetchOffsets({ groupId: prefix + options.groupId, topics: [name] });
    const committed = new Map(
      group?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)] as const),
    );
    return ends.reduce((lag, { partition, low, high }) => {
      const next = committed.get(partition) ?? -1n;
      const behind = BigInt(high) - (next < 0n ? BigInt(low) : next);
      return lag + (behind > 0n ? behind : 0n);
    }, 0n);
  } finally {
    await admin.disconnect();
  }
}
