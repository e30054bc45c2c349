import { apis } from '@plimsoll/local-broker';
import type { Check, CheckContext } from '../check';
import { adminOf, batch, errorType, eventually, fetchRaw, produceRaw, rawClient, topicOf } from './helpers';

interface Wanted {
  name: string;
  partitions?: number;
  replicas?: number;
  configs?: Record<string, string>;
  assignments?: { partitionIndex: number; brokerIds: number[] }[];
}

/** The codes, by the names of the topics. */
async function create(context: CheckContext, wanted: Wanted[], validateOnly = false): Promise<number[]> {
  const client = await rawClient(context);
  const { topics } = await client.request(apis.createTopics, 3, {
    topics: wanted.map(({ name, partitions = 1, replicas = 1, configs = {}, assignments = [] }) => ({
      name,
      numPartitions: assignments.length > 0 ? -1 : partitions,
      replicationFactor: assignments.length > 0 ? -1 : replicas,
      assignments,
      configs: Object.entries(configs).map(([key, value]) => ({ name: key, value })),
    })),
    timeoutMs: 10_000,
    validateOnly,
  });
  return topics.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ errorCode }) => errorCode);
}

const refuses = (what: string, wanted: (name: string) => Wanted[]): Check => ({
  name: `CreateTopics refuses ${what}`,
  run: (context) => create(context, wanted(context.name('topic'))),
});

export const topicChecks: readonly Check[] = [
  {
    name: 'CreateTopics: a topic has its partitions, with leaders',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 3 });
      const { topics } = await (await adminOf(context)).fetchTopicMetadata({ topics: [topic] });
      return topics[0]?.partitions
        .map(({ partitionId, leader, isr, replicas }) => [partitionId, leader, isr, replicas])
        .sort();
    },
  },
  {
    name: 'CreateTopics: a topic that exists',
    run: async (context) => create(context, [{ name: await topicOf(context) }]),
  },
  {
    name: 'CreateTopics: kafkajs returns false for a topic that exists',
    run: async (context) => {
      const topic = await topicOf(context);
      return (await adminOf(context)).createTopics({ topics: [{ topic }] });
    },
  },
  {
    name: 'CreateTopics: of several topics each has an outcome of its own',
    run: async (context) => {
      const topic = await topicOf(context);
      return create(context, [{ name: topic }, { name: context.name('other') }, { name: 'no name' }]);
    },
  },
  refuses('a name with a space', () => [{ name: 'not a name' }]),
  refuses('an empty name', () => [{ name: '' }]),
  refuses('a name of two dots', () => [{ name: '..' }]),
  refuses('a name of 250 characters', () => [{ name: 'x'.repeat(250) }]),
  refuses('two replicas', (name) => [{ name, replicas: 2 }]),
  refuses('no partitions', (name) => [{ name, partitions: 0 }]),
  refuses('an unknown configuration', (name) => [{ name, configs: { 'no.such.thing': '1' } }]),
  refuses('a value that is no number', (name) => [{ name, configs: { 'retention.ms': 'soon' } }]),
  refuses('an unknown cleanup policy', (name) => [{ name, configs: { 'cleanup.policy': 'burn' } }]),
  refuses('a segment that is too small', (name) => [{ name, configs: { 'segment.bytes': '10' } }]),
  refuses('one name twice', (name) => [{ name }, { name }]),
  refuses('a replica on a broker that there is not', (name) => [
    { name, assignments: [{ partitionIndex: 0, brokerIds: [77] }] },
  ]),
  {
    name: 'CreateTopics: an assignment to the one broker',
    run: (context) =>
      create(context, [
        { name: context.name('topic'), assignments: [{ partitionIndex: 0, brokerIds: [1] }] },
      ]),
  },
  {
    name: 'CreateTopics: validateOnly creates nothing',
    run: async (context) => {
      const name = context.name('topic');
      const codes = await create(context, [{ name }], true);
      return [codes, (await (await adminOf(context)).listTopics()).includes(name)];
    },
  },
  {
    name: 'CreateTopics: the default number of partitions',
    run: async (context) => {
      const name = context.name('topic');
      const codes = await create(context, [{ name, partitions: -1, replicas: -1 }]);
      const admin = await adminOf(context);
      await eventually(async () => (await admin.listTopics()).includes(name));
      const { topics } = await admin.fetchTopicMetadata({ topics: [name] });
      return [codes, topics[0]?.partitions.length];
    },
  },
  {
    name: 'DeleteTopics: removes the topic, which is empty when it is created again',
    run: async (context) => {
      const admin = await adminOf(context);
      const topic = await topicOf(context);
      const client = await rawClient(context);
      await produceRaw(client, topic, batch(['before']));
      await admin.deleteTopics({ topics: [topic] });
      await eventually(async () => !(await admin.listTopics()).includes(topic));
      await eventually(async () => (await create(context, [{ name: topic }]))[0] === 0);
      await eventually(async () => (await fetchRaw(client, topic)).errorCode === 0);
      const { highWatermark, records } = await fetchRaw(client, topic);
      return [highWatermark, records.length];
    },
  },
  {
    name: 'DeleteTopics: an unknown topic',
    run: async (context) => {
      const admin = await adminOf(context);
      return errorType(() => admin.deleteTopics({ topics: [context.name('missing')] }));
    },
  },
  {
    name: 'CreatePartitions: the topic grows and keeps its records',
    run: async (context) => {
      const admin = await adminOf(context);
      const topic = await topicOf(context);
      const client = await rawClient(context);
      await produceRaw(client, topic, batch(['one']));
      await admin.createPartitions({ topicPartitions: [{ topic, count: 3 }] });
      await eventually(async () => {
        const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
        return topics[0]?.partitions.length === 3;
      });
      await eventually(
        async () => (await produceRaw(client, topic, batch(['two']), { partition: 2 })).errorCode === 0,
      );
      return [
        (await fetchRaw(client, topic)).highWatermark,
        (await fetchRaw(client, topic, { partition: 2 })).highWatermark,
      ];
    },
  },
  {
    name: 'CreatePartitions: fewer, as many, or of an unknown topic',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 3 });
      const client = await rawClient(context);
      const codes: number[] = [];
      for (const [name, count] of [
        [topic, 2],
        [topic, 3],
        [context.name('missing'), 3],
      ] as const) {
        const { results } = await client.request(apis.createPartitions, 1, {
          topics: [{ name, count, assignments: null }],
          timeoutMs: 10_000,
          validateOnly: false,
        });
        codes.push(...results.map(({ errorCode }) => errorCode));
      }
      return codes;
    },
  },
];
