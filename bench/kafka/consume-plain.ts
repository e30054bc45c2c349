import { Kafka } from 'kafkajs';
import type { Stopwatch } from './stopwatch';
import type { Settings } from './types';

/** kafkajs in its default form: eachBatch, JSON.parse, an empty handler. */
export async function consumePlain(settings: Settings, stopwatch: Stopwatch): Promise<void> {
  const { brokers, groupId, topic } = settings;
  const kafka = new Kafka({ brokers, clientId: 'bench', logCreator: stopwatch.logCreator });
  const consumer = kafka.consumer({ groupId });
  const handle = async (_values: unknown[]): Promise<void> => undefined;
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachBatch: async ({ batch }) => {
      await handle(batch.messages.map(({ value }) => JSON.parse(String(value)) as unknown));
      stopwatch.handled(batch.messages.length);
    },
  });
}
