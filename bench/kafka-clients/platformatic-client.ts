import { Consumer, Producer, stringSerializers } from '@platformatic/kafka';
import type { BenchClient } from './client';

export function platformaticClient(broker: string): BenchClient {
  const options = { clientId: 'bench', bootstrapBrokers: [broker] };
  return {
    producer: async (topic) => {
      const producer = new Producer({ ...options, idempotent: true, serializers: stringSerializers });
      return (records) =>
        producer.send({ acks: -1, messages: records.map((record) => ({ ...record, topic })) });
    },
    consume: async (topic, groupId, onJoin, onValues) => {
      const consumer = new Consumer({ ...options, groupId, maxWaitTime: 500, autocommit: false });
      consumer.on('consumer:group:join', onJoin);
      const stream = await consumer.consume({ topics: [topic], mode: 'earliest' });
      stream.on('data', ({ value }) => onValues([value]));
    },
  };
}
