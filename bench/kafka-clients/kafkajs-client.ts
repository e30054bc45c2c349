import { connect } from 'node:net';
import { Kafka, Partitioners, logLevel } from 'kafkajs';
import type { BenchClient } from './client';

export function kafkajsClient(broker: string): BenchClient {
  const kafka = new Kafka({
    brokers: [broker],
    clientId: 'bench',
    logLevel: logLevel.NOTHING,
    // Disables Nagle's algorithm, as in the event bus and in the other client.
    socketFactory: ({ host, port, onConnect }) => connect({ host, port, noDelay: true }, onConnect),
  });
  return {
    producer: async (topic) => {
      const producer = kafka.producer({
        idempotent: true,
        maxInFlightRequests: 1,
        allowAutoTopicCreation: false,
        createPartitioner: Partitioners.DefaultPartitioner,
      });
      await producer.connect();
      return (messages) => producer.send({ topic, acks: -1, messages });
    },
    consume: async (topic, groupId, onJoin, onValues) => {
      const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 500, maxBytesPerPartition: 1_048_576 });
      consumer.on(consumer.events.GROUP_JOIN, onJoin);
      await consumer.connect();
      await consumer.subscribe({ topic, fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatch: async ({ batch }) => onValues(batch.messages.flatMap(({ value }) => value ?? [])),
      });
    },
  };
}
