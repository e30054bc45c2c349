import { apis } from '@plimsoll/local-broker';
import type { Check, CheckContext } from '../check';
import { adminOf, eventually, rawClient, topicOf } from './helpers';

const TOPIC = 2;

/** The topic settings of our code, which the checks use. */
const OURS = {
  'cleanup.policy': 'compact',
  'min.compaction.lag.ms': '900000',
  'delete.retention.ms': '604800000',
  'segment.ms': '86400000',
};

type Entry = [value: string | null, source: number];

async function describe(context: CheckContext, topic: string): Promise<Record<string, Entry>> {
  const { resources } = await (
    await adminOf(context)
  ).describeConfigs({
    includeSynonyms: false,
    resources: [{ type: TOPIC, name: topic }],
  });
  const entries = (resources[0]?.configEntries ?? []) as unknown as {
    configName: string;
    configValue: string | null;
    configSource: number;
  }[];
  return Object.fromEntries(
    entries
      .map(({ configName, configValue, configSource }): [string, Entry] => [
        configName,
        [configValue, configSource],
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

async function alterIncrementally(
  context: CheckContext,
  name: string,
  configs: { name: string; configOperation: number; value: string | null }[],
): Promise<number[]> {
  const client = await rawClient(context);
  const { responses } = await client.request(apis.incrementalAlterConfigs, 0, {
    resources: [{ resourceType: TOPIC, resourceName: name, configs }],
    validateOnly: false,
  });
  return responses.map(({ errorCode }) => errorCode);
}

export const configChecks: readonly Check[] = [
  {
    name: 'DescribeConfigs: what our topics are made with',
    run: async (context) => {
      const described = await describe(context, await topicOf(context, { configs: OURS }));
      return Object.keys(OURS).map((name) => [name, described[name]]);
    },
  },
  {
    name: 'DescribeConfigs: every name and its default value',
    run: async (context) => {
      const described = await describe(context, await topicOf(context));
      return Object.entries(described).map(([name, [value]]) => [name, value]);
    },
  },
  {
    name: 'DescribeConfigs: only the requested names',
    run: async (context) => {
      const client = await rawClient(context);
      const { results } = await client.request(apis.describeConfigs, 2, {
        resources: [
          {
            resourceType: TOPIC,
            resourceName: await topicOf(context),
            configurationKeys: ['retention.ms', 'cleanup.policy', 'no.such.thing'],
          },
        ],
        includeSynonyms: false,
      });
      return results[0]?.configs.map(({ name, value }) => [name, value]).sort();
    },
  },
  {
    name: 'DescribeConfigs: an unknown topic',
    run: async (context) => {
      const client = await rawClient(context);
      const { results } = await client.request(apis.describeConfigs, 2, {
        resources: [{ resourceType: TOPIC, resourceName: context.name('missing'), configurationKeys: null }],
        includeSynonyms: false,
      });
      return results.map(({ errorCode, configs }) => [errorCode, configs.length]);
    },
  },
  {
    name: 'AlterConfigs: puts new values in the place of all former ones',
    run: async (context) => {
      const topic = await topicOf(context, { configs: { 'retention.ms': '5000', 'segment.ms': '6000' } });
      await (
        await adminOf(context)
      ).alterConfigs({
        validateOnly: false,
        resources: [{ type: TOPIC, name: topic, configEntries: [{ name: 'retention.ms', value: '7000' }] }],
      });
      await eventually(async () => (await describe(context, topic))['retention.ms']?.[0] === '7000');
      return (await describe(context, topic))['segment.ms']?.[0];
    },
  },
  {
    name: 'AlterConfigs: validateOnly changes nothing',
    run: async (context) => {
      const topic = await topicOf(context, { configs: { 'retention.ms': '5000' } });
      await (
        await adminOf(context)
      ).alterConfigs({
        validateOnly: true,
        resources: [{ type: TOPIC, name: topic, configEntries: [{ name: 'retention.ms', value: '7000' }] }],
      });
      return (await describe(context, topic))['retention.ms']?.[0];
    },
  },
  {
    name: 'IncrementalAlterConfigs: sets and deletes',
    run: async (context) => {
      const topic = await topicOf(context, { configs: { 'segment.ms': '6000' } });
      const codes = await alterIncrementally(context, topic, [
        { name: 'retention.ms', configOperation: 0, value: '7000' },
        { name: 'segment.ms', configOperation: 1, value: null },
      ]);
      await eventually(async () => (await describe(context, topic))['retention.ms']?.[0] === '7000');
      return [codes, (await describe(context, topic))['segment.ms']?.[0]];
    },
  },
  {
    name: 'IncrementalAlterConfigs: appends to a list and takes from it',
    run: async (context) => {
      const topic = await topicOf(context);
      const change = (configOperation: number, value: string) =>
        alterIncrementally(context, topic, [{ name: 'cleanup.policy', configOperation, value }]);
      const added = await change(2, 'compact');
      await eventually(
        async () => (await describe(context, topic))['cleanup.policy']?.[0] === 'delete,compact',
      );
      const removed = await change(3, 'delete');
      await eventually(async () => (await describe(context, topic))['cleanup.policy']?.[0] === 'compact');
      return [added, removed];
    },
  },
  {
    name: 'IncrementalAlterConfigs: refuses invalid values, unknown names and lists that are none',
    run: async (context) => {
      const topic = await topicOf(context);
      const change = (name: string, configOperation: number, value: string) =>
        alterIncrementally(context, topic, [{ name, configOperation, value }]);
      return [
        await change('retention.ms', 0, 'soon'),
        await change('no.such.thing', 0, '1'),
        await change('retention.ms', 2, '1'),
      ];
    },
  },
];
