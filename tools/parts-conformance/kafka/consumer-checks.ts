import type { Consumer } from 'kafkajs';
import type { Check, CheckContext } from '../check';
import { adminOf, consumerOf, eventually, send, topicOf } from './helpers';

interface Reading {
  consumer: Consumer;
  values: string[];
  partitions: Set<number>;
  /** The number of partitions that the last generation assigned. */
  assigned: number;
}

async function read(context: CheckContext, groupId: string, topic: string): Promise<Reading> {
  const consumer = await consumerOf(context, groupId);
  const reading: Reading = { consumer, values: [], partitions: new Set(), assigned: 0 };
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    reading.assigned = Object.values(payload.memberAssignment).flat().length;
  });
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    autoCommitInterval: 100,
    eachMessage: async ({ message, partition }) => {
      reading.values.push(String(message.value));
      reading.partitions.add(partition);
    },
  });
  return reading;
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ key: `k${(from + at) % 97}`, value: String(from + at) }));

export const consumerChecks: readonly Check[] = [
  {
    name: 'kafkajs: two members share the partitions, and receive every message',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 6 });
      const groupId = context.name('group');
      const readings = [await read(context, groupId, topic), await read(context, groupId, topic)];
      await eventually(() => readings.every(({ assigned }) => assigned === 3), 'both joined');
      await send(context, topic, numbered(0, 500));
      const all = (): string[] => readings.flatMap(({ values }) => values);
      await eventually(() => new Set(all()).size === 500, 'all messages');
      return [new Set(all()).size, readings.map(({ partitions }) => partitions.size)];
    },
  },
  {
    name: 'kafkajs: a member that leaves hands its partitions over at once',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 4 });
      const groupId = context.name('group');
      const first = await read(context, groupId, topic);
      const second = await read(context, groupId, topic);
      await send(context, topic, numbered(0, 100));
      const seen = (): Set<string> => new Set([...first.values, ...second.values]);
      await eventually(() => seen().size === 100, 'the first hundred');
      await second.consumer.disconnect();
      await send(context, topic, numbered(100, 200));
      await eventually(() => seen().size === 200, 'the second hundred');
      return [...first.partitions].sort();
    },
  },
  {
    name: 'kafkajs: a group continues where it committed',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 2 });
      const groupId = context.name('group');
      await send(context, topic, numbered(0, 50));
      const first = await read(context, groupId, topic);
      await eventually(() => first.values.length === 50, 'the first fifty');
      await first.consumer.disconnect();
      await send(context, topic, numbered(50, 60));
      const second = await read(context, groupId, topic);
      await eventually(() => second.values.length >= 10, 'the next ten');
      return second.values.sort();
    },
  },
  {
    name: 'kafkajs: seeks and pauses',
    run: async (context) => {
      const topic = await topicOf(context);
      await send(context, topic, numbered(0, 10));
      const reading = await read(context, context.name('group'), topic);
      await eventually(() => reading.values.length === 10, 'ten');
      reading.consumer.pause([{ topic }]);
      reading.consumer.seek({ topic, partition: 0, offset: '7' });
      await new Promise((resolve) => setTimeout(resolve, 500));
      const paused = reading.values.length;
      reading.consumer.resume([{ topic }]);
      await eventually(() => reading.values.length === 13, 'three again');
      return [paused, reading.values.slice(10)];
    },
  },
  {
    name: 'kafkajs: describes and lists the groups of consumers',
    run: async (context) => {
      const topic = await topicOf(context);
      const groupId = context.name('group');
      await read(context, groupId, topic);
      const admin = await adminOf(context);
      await eventually(
        async () => (await admin.describeGroups([groupId])).groups[0]?.state === 'Stable',
        'stable',
      );
      const { groups } = await admin.describeGroups([groupId]);
      const listed = (await admin.listGroups()).groups.filter((group) => group.groupId === groupId);
      return [
        groups.map(({ protocol, protocolType, members }) => [
          protocol,
          protocolType,
          members.map(({ clientId, clientHost }) => [clientId, clientHost]),
        ]),
        listed,
      ];
    },
  },
];
