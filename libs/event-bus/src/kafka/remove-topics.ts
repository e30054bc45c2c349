import type { KafkaOptions } from '../options';
import { KAFKA_RETRY, kafkaClient } from './client';

const DELETE_TIMEOUT_MS = 10_000;
/** About a second: the caller tries again later. */
const RETRY = { ...KAFKA_RETRY, retries: 3 };

/**
 * Deletes the topics and consumer groups whose names fit. Rejects with a Kafka error when the broker is unavailable, and
 * when a group still has members.
 */
export async function removeTopics(options: KafkaOptions, fits: (name: string) => boolean): Promise<void> {
  const { kafka, cut } = kafkaClient(options, 'removal', RETRY);
  const admin = kafka.admin();
  try {
    await admin.connect();
    const topics = (await admin.listTopics()).filter(fits);
    if (topics.length > 0) await admin.deleteTopics({ topics, timeout: DELETE_TIMEOUT_MS });
    const { groups } = await admin.listGroups();
    const fitting = groups.map(({ groupId }) => groupId).filter(fits);
    if (fitting.length > 0) await admin.deleteGroups(fitting);
  } finally {
    await admin.disconnect().catch(() => undefined);
    cut();
  }
}
