import { type TestDatabase, createTestDatabase, testKafka, waitFor } from '@plimsoll/testing';
import { type ShardScene, startShardScene } from '../platform/shard-scene';

jest.setTimeout(60_000);

const WALLETS = 40;
const TAKE_OVER_MS = 10_000;

describe('two processes of positions that share the watched wallets', () => {
  let database: TestDatabase;
  let scene: ShardScene;

  beforeAll(async () => {
    database = await createTestDatabase();
    scene = await startShardScene(database, testKafka(), WALLETS);
  }, 120_000);
  afterAll(async () => {
    await scene?.stop();
    await database?.drop();
  }, 60_000);

  const followed = () => Promise.all(scene.instances.map((instance) => scene.followedBy(instance)));

  it('each follows its shards, both together follow every wallet once, and a price reaches all', async () => {
    const counts = await waitFor(
      async () => {
        const [one = 0, other = 0] = await followed();
        return one + other === WALLETS && [one, other];
      },
      { timeoutMs: 20_000, message: 'the entry from the other process is released' },
    );
    expect(Math.min(...counts)).toBeGreaterThan(0);
    await scene.untilAllNotified(await scene.setEther(2_400), 10_000);
  });

  it('the other takes over within 10 s when one is killed, and no change is missed', async () => {
    const [killed, left] = scene.instances as [ShardScene['instances'][0], ShardScene['instances'][0]];
    await scene.setEther(2_350);
    await killed.kill9();
    const killedAt = performance.now();
    const block = await scene.setEther(2_300);
    await scene.untilAllNotified(block, TAKE_OVER_MS);
    expect(performance.now() - killedAt).toBeLessThan(TAKE_OVER_MS);
    expect(await scene.followedBy(left)).toBe(WALLETS);
    for (const wallet of scene.wallets) {
      const events = scene.events.flatMap(({ value }) => (value?.wallet === wallet ? [value] : []));
      const sequences = [...new Set(events.map(({ sequence }) => sequence))];
      expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    }
  });

  it('a restarted process gets its share back', async () => {
    await scene.instances[0]!.start();
    await waitFor(
      async () => {
        const [one = 0, other = 0] = await followed();
        return one > 0 && one + other === WALLETS;
      },
      { timeoutMs: 20_000, message: 'the wallets are assigned again' },
    );
    await scene.untilAllNotified(await scene.setEther(2_250), 10_000);
  });
});
