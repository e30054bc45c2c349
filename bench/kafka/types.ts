export type ContenderName = 'plainEachBatch' | 'ours' | 'oursWithInbox' | 'serverKafka';

/** wallet.v1 is small, so that it measures the transport. position.v1 is the largest event. */
export const TOPICS = ['wallet.v1', 'position.v1'] as const;
export type BenchTopic = (typeof TOPICS)[number];

/** The settings with which a child process consumes the topic. */
export interface Settings {
  brokers: string[];
  topic: BenchTopic;
  /** A new one for every run, so that it begins with the oldest message. */
  groupId: string;
  /** Messages after which the run is over. */
  messages: number;
  databaseUrl: string;
}

/** One run of one contender, from joining its group to the last message handled. */
export interface Measurement {
  messagesPerSecond: number;
  cpuUsPerMessage: number;
}
