import { ConfigResourceTypes } from 'kafkajs';
import { ensureTopics, removeTopics } from '../src';
import { createBus, plainKafka } from './bus-fixture';

const DAY_MS = 86_400_000;

describe('ensureTopics', () => {
  it('creates compacted topics, logs and dead-letter topics as described, also when several services start', async () => {
    const bus = await createBus();
    const prefix = bus.options.topicPrefix ?? '';
    const admin = plainKafka(bus.options).admin();
    await admin.connect();
    const options = { prefix, deadLetters: true };
    await Promise.all([1, 2, 3].map(() => ensureTopics(admin, ['position.v1', 'alert.v1'], options)));
    await ensureTopics(admin, ['alert.v1', 'wallet.v1'], { prefix });

    const created = (await admin.listTopics()).filter((name) => name.startsWith(prefix));
    const names = ['position.v1', 'position.v1.dlq', 'alert.v1', 'alert.v1.dlq', 'wallet.v1'];
    expect(created.sort()).toEqual(names.map((name) => prefix + name).sort());

    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: created.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
    });
    const setting = (topic: string, name: string) =>
      resources
        .find(({ resourceName }) => resourceName === prefix + topic)
        ?.configEntries.find(({ configName }) => configName === name)?.configValue;
    expect(setting('position.v1', 'cleanup.policy')).toBe('compact');
    expect(setting('position.v1', 'min.compaction.lag.ms')).toBe('900000');
    expect(setting('alert.v1', 'cleanup.policy')).toBe('delete');
    expect(Number(setting('alert.v1', 'retention.ms'))).toBeGreaterThanOrEqual(7 * DAY_MS);
    expect(Number(setting('alert.v1.dlq', 'retention.ms'))).toBeGreaterThanOrEqual(14 * DAY_MS);

    const { topics } = await admin.fetchTopicMetadata({ topics: [`${prefix}position.v1`] });
    expect(topics[0]?.partitions).toHaveLength(6);
    await admin.disconnect();
    await bus.close();
  });
});

describe('removeTopics', () => {
  it('deletes the topics and groups that fit, and no others', async () => {
    const bus = await createBus();
    const prefix = bus.options.topicPrefix ?? '';
    const kafka = plainKafka(bus.options);
    const admin = kafka.admin();
    await admin.connect();
    const topics = ['one.a', 'one.b', 'two.a'].map((name) => prefix + name);
    await admin.createTopics({ topics: topics.map((topic) => ({ topic, numPartitions: 1 })) });
    const [one, two] = [`${prefix}one.readers`, `${prefix}two.readers`];
    for (const groupId of [one, two])
      await admin.setOffsets({
        groupId,
        topic: `${prefix}two.a`,
        partitions: [{ partition: 0, offset: '0' }],
      });
    await removeTopics(bus.options, (name) => name.startsWith(`${prefix}one.`));
    const own = (names: string[]): string[] => names.filter((name) => name.startsWith(prefix));
    expect(own(await admin.listTopics())).toEqual([`${prefix}two.a`]);
    expect(own((await admin.listGroups()).groups.map(({ groupId }) => groupId))).toEqual([two]);
    await removeTopics(bus.options, (name) => name.startsWith(`${prefix}one.`));
    await admin.disconnect();
    await bus.close();
  });
});
