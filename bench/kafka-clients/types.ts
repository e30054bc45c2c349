import { Kafka, logLevel } from 'kafkajs';

export const CLIENTS = ['kafkajs', 'platformatic'] as const;
export type ClientName = (typeof CLIENTS)[number];

/** The measured tasks: sending batches, sending one message at a time, reading a topic in a group. */
export const TASKS = ['produce', 'single', 'consume'] as const;
export type TaskName = (typeof TASKS)[number];

export const BROKERS = ['genuine', 'embedded'] as const;
export type BrokerName = (typeof BROKERS)[number];

/** The settings of a child process for one run. */
export interface Settings {
  client: ClientName;
  task: TaskName;
  broker: string;
  topic: string;
  /** A new one for every run, so that it begins with the oldest message. */
  groupId: string;
  messages: number;
}

/** One run, from the first request, or from joining the group, to the last message. */
export interface Measurement {
  messagesPerSecond: number;
  /** CPU time of the client process, user and system. */
  cpuUsPerMessage: number;
  /** The most memory that the process had, MB. */
  maxRssMb: number;
  /** The duration of one request; only for the task `single`. */
  p50Ms?: number;
  p99Ms?: number;
}

const PARTITIONS = 6;

/** Creates a topic with as many partitions as those of the platform, and waits for its leaders. */
export async function makeTopic(broker: string, topic: string): Promise<void> {
  const admin = new Kafka({ brokers: [broker], clientId: 'bench', logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: PARTITIONS }], waitForLeaders: true });
  await admin.disconnect();
}
