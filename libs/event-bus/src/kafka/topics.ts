import { EVENTS, type EventTopic } from '@plimsoll/contracts';
import { KafkaJSAggregateError, KafkaJSProtocolError, type Admin, type ITopicConfig } from 'kafkajs';
import { whileSettling } from './while-settling';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const CREATE_TIMEOUT_MS = 10_000;

/** Returns the name of a topic's dead-letter topic. */
export function deadLetterTopic(topic: string): string {
  return `${topic}.dlq`;
}

export interface EnsureTopicsOptions {
  /** Prefix of every name. */
  prefix?: string;
  /** Partitions of each new topic. The default is that of libs/contracts. */
  partitions?: number;
  /** Also creates the dead-letter topics, which a consumer needs. The default is false. */
  deadLetters?: boolean;
  /** Returns a number in [0, 1) for jitter. The default is Math.random. */
  random?: () => number;
}

/**
 * Creates the missing topics as libs/contracts describes them, and changes no existing topic. Resolves when
 * all have leaders. Any number of services may call it at the same time.
 */
export async function ensureTopics(
  admin: Admin,
  topics: readonly EventTopic[],
  { prefix = '', partitions, deadLetters = false, random = Math.random }: EnsureTopicsOptions = {},
): Promise<void> {
  const wanted = topics.flatMap((topic) => [
    topicConfig(topic, prefix, partitions),
    ...(deadLetters ? [deadLetterConfig(topic, prefix)] : []),
  ]);
  await whileSettling(() => createMissing(admin, wanted), random);
}

async function createMissing(admin: Admin, wanted: readonly ITopicConfig[]): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const missing = wanted.filter(({ topic }) => !existing.has(topic));
  if (missing.length > 0) await create(admin, missing);
  await admin.fetchTopicMetadata({ topics: wanted.map(({ topic }) => topic) });
}

async function create(admin: Admin, topics: ITopicConfig[]): Promise<void> {
  try {
    await admin.createTopics({ topics, waitForLeaders: false, timeout: CREATE_TIMEOUT_MS });
  } catch (error) {
    if (!isOnlyExisting(error)) throw error;
  }
}

/**
 * Compacted: the state of a key has no time limit, a tombstone remains for seven days, and no change is
 * removed for 15 minutes.
 */
function topicConfig(topic: EventTopic, prefix: string, partitions = EVENTS[topic].partitions): ITopicConfig {
  const { compacted, retentionMs } = EVENTS[topic];
  const entries: Record<string, string | number> = compacted
    ? {
        'cleanup.policy': 'compact',
        'min.compaction.lag.ms': 15 * MINUTE_MS,
        'delete.retention.ms': 7 * DAY_MS,
        'segment.ms': DAY_MS,
      }
    : { 'cleanup.policy': 'delete', 'retention.ms': retentionMs };
  return { topic: prefix + topic, numPartitions: partitions, configEntries: toEntries(entries) };
}

/** Longer than the retention of the topic itself, so that there is time to inspect dead letters. */
function deadLetterConfig(topic: EventTopic, prefix: string): ITopicConfig {
  const retentionMs = Math.max(14 * DAY_MS, 2 * EVENTS[topic].retentionMs);
  const entries = { 'cleanup.policy': 'delete', 'retention.ms': retentionMs };
  return { topic: prefix + deadLetterTopic(topic), numPartitions: 1, configEntries: toEntries(entries) };
}

function toEntries(values: Record<string, string | number>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));
}

/** Another service created them in between. */
function isOnlyExisting(error: unknown): boolean {
  const errors = error instanceof KafkaJSAggregateError ? error.errors : [error];
  return errors.every((each) => each instanceof KafkaJSProtocolError && each.type === 'TOPIC_ALREADY_EXISTS');
}
