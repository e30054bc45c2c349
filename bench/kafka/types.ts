export type ContenderName = 'plainEachBatch' | 'ours' | 'oursWithInbox' | 'serverKafka';

/** What a child process needs to consume the topic. */
export interface Settings {
  brokers: string[];
  topic: 'position.v1';
  /** A new one for every run: it begins with the oldest message. */
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
