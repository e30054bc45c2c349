import { Kafka, logLevel } from '@plimsoll/kafkajs';

/** Connects to the broker of its argument, as a process of its own, and disconnects. */
async function run(broker: string): Promise<void> {
  const kafka = new Kafka({ clientId: 'describe-cluster', brokers: [broker], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.describeCluster();
  await admin.disconnect();
}

void run(process.argv[2] ?? '');
