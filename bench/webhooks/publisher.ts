import { connect } from 'node:net';
import { ensureTopics } from '@plimsoll/event-bus';
import { Kafka, Partitioners, type Message, logLevel } from '@plimsoll/kafkajs';

const TOPIC = 'alert.v1';
const BATCH = 500;

/** Writes alerts into the log as the alerts service's relay does. */
export interface AlertPublisher {
  publish(messages: readonly Message[]): Promise<void>;
  close(): Promise<void>;
}

/** @param partitions the configured number of the service under test */
export async function startAlertPublisher(broker: string, partitions: number): Promise<AlertPublisher> {
  const kafka = new Kafka({
    brokers: [broker],
    clientId: 'bench-publisher',
    logLevel: logLevel.NOTHING,
    // Waits for a broker that was killed.
    retry: { initialRetryTime: 100, maxRetryTime: 500, retries: 100 },
    // kafkajs leaves Nagle's algorithm on, which would delay single events.
    socketFactory: ({ host, port, onConnect }) => connect({ host, port, noDelay: true }, onConnect),
  });
  const admin = kafka.admin();
  await admin.connect();
  await ensureTopics(admin, [TOPIC], { partitions, deadLetters: true });
  await admin.disconnect();
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  return {
    publish: async (messages) => {
      for (let start = 0; start < messages.length; start += BATCH) {
        await producer.send({ topic: TOPIC, messages: messages.slice(start, start + BATCH) });
      }
    },
    close: () => producer.disconnect(),
  };
}
