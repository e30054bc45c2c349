import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { batchOf, readAll, temporaryFolder } from '../../test/log-fixture';
import { Topics } from './topics';

const folder = temporaryFolder();
let count = 0;
afterAll(() => folder.remove());

const open = (directory: string): Topics =>
  new Topics(directory, {
    isDurable: false,
    maxSegmentBytes: 2 ** 20,
    wasCleanStop: false,
    now: () => 1_000_000,
  });

describe('Topics', () => {
  let directory: string;
  let topics: Topics;
  beforeEach(() => {
    directory = path.join(folder.path, String((count += 1)));
    topics = open(directory);
  });
  afterEach(() => topics.close(false));

  const restart = async (): Promise<void> => {
    await topics.close(false);
    topics = open(directory);
  };

  it('keeps topics, their partitions and their configuration', async () => {
    await topics.create('one', 2, { 'retention.ms': '5000' });
    await topics.create('two', 1, {});
    await topics.addPartitions('one', 3);
    await topics.configure('two', { 'cleanup.policy': 'compact' });
    await restart();
    expect(
      topics.list().map(({ name, partitions, overrides }) => [name, partitions.length, overrides]),
    ).toEqual([
      ['one', 3, { 'retention.ms': '5000' }],
      ['two', 1, { 'cleanup.policy': 'compact' }],
    ]);
    expect(topics.partition('two', 0).config.isCompacted).toBe(true);
  });

  it('creates a deleted topic again without its records, on every file system', async () => {
    await topics.create('Same', 1, {});
    await topics.create('same', 1, {});
    topics.partition('Same', 0).append(batchOf([{ key: 'k', value: 'v' }]));
    await topics.partition('Same', 0).sync();
    expect(readAll(topics.partition('same', 0))).toEqual([]);
    await topics.delete('Same');
    expect(readdirSync(path.join(directory, 'logs'))).toHaveLength(1);
    await topics.create('Same', 1, {});
    expect(topics.partition('Same', 0).logEndOffset).toBe(0);
  });

  it('removes the folders that belong to no topic', async () => {
    await topics.create('one', 1, {});
    const abandoned = path.join(directory, 'logs', 'left-0');
    mkdirSync(abandoned);
    await topics.removeAbandoned();
    expect([existsSync(abandoned), readdirSync(path.join(directory, 'logs')).length]).toEqual([false, 1]);
  });

  it('rejects appends to a deleted topic', async () => {
    await topics.create('one', 1, {});
    const log = topics.partition('one', 0);
    await topics.delete('one');
    expect(() => log.append(batchOf([{ key: 'k', value: 'v' }]))).toThrow('the partition was deleted');
  });
});
