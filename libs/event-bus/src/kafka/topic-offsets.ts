import { KafkaJSProtocolError, type Admin } from 'kafkajs';
import { backoffMs, pause } from '../backoff';

const TRIES = 10;
const BACKOFF = { baseMs: 50, capMs: 1_000 };

/** The first offset kept of a partition, and the one that its next event will get. */
export interface PartitionOffsets {
  partition: number;
  low: string;
  high: string;
}

/**
 * Where each partition of a topic begins and ends. Right after a topic was made, a broker is named as the leader of a
 * partition before it knows of it, and kafkajs gives up at once: it is asked again, for about seven seconds.
 */
export async function topicOffsets(
  admin: Admin,
  topic: string,
  random: () => number,
): Promise<PartitionOffsets[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await admin.fetchTopicOffsets(topic);
    } catch (error) {
      if (!(error instanceof KafkaJSProtocolError && error.retriable) || attempt === TRIES) throw error;
      await pause(backoffMs(attempt, BACKOFF.baseMs, BACKOFF.capMs, random), new AbortController().signal);
    }
  }
}
