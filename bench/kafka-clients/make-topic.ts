import { Kafka, logLevel } from 'kafkajs';

const PARTITIONS = 6;

/** Creates a topic with as many partitions as those of the platform, and waits for its leaders. */
export async function makeTopic(broker: string, topic: string): Promise<void> {
  const admin = new Kafka({ brokers: [broker], clientId: 'bench', logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: PARTITIONS }], waitForLeaders: true });
  await admin.disconnect();
}
