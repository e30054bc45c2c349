import { readFile, writeFile } from 'node:fs/promises';
import type { WhaleActivityItem, WhaleActivityList } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { type ChainFixture, startChain } from './chain-fixture';
import { type ExpectedMove, playDay } from './scripted-day';
import { ServiceFixture } from './service-fixture';

jest.setTimeout(90_000);

describe('a protocol that is added to the registry after the service ran', () => {
  let chain: ChainFixture;
  let service: ServiceFixture;
  let day: readonly ExpectedMove[];

  const list = async (): Promise<WhaleActivityItem[]> =>
    (await service.get<WhaleActivityList>('/v1/whales/activity?minUsd=0&limit=200')).body.activity;
  const of = (protocol: string) => (item: { protocol: string }) => item.protocol === protocol;

  async function withoutMorpho<T>(work: () => Promise<T>): Promise<T> {
    const whole = await readFile(chain.overlayPath, 'utf8');
    const overlay = JSON.parse(whole) as { protocols: { id: string }[] };
    overlay.protocols = overlay.protocols.filter(({ id }) => id !== 'morpho-blue');
    await writeFile(chain.overlayPath, JSON.stringify(overlay));
    try {
      return await work();
    } finally {
      await writeFile(chain.overlayPath, whole);
    }
  }

  beforeAll(async () => {
    chain = await startChain();
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath, { STEP_BLOCKS: 2 });
    day = await withoutMorpho(async () => {
      await service.start();
      const played = await playDay(chain);
      await service.indexedTo(await chain.head());
      await service.stop();
      return played;
    });
  });
  afterAll(async () => {
    await service?.close();
    await chain?.close();
  });

  it('is read back as far as a new chain, although the service is killed repeatedly, and each move is stored once', async () => {
    await service.start();
    const before = await list();
    await service.stop();
    expect(before.filter(of('aave-v3')).length).toBeGreaterThan(0);
    const gaps = async (): Promise<number> => {
      const { rows } = await service.pool.query<{ blocks: string | null }>(
        'SELECT sum(greatest(0, last_block - next_block + 1)) AS blocks FROM row_backfills',
      );
      return Number(rows[0]?.blocks ?? 0);
    };
    let restarts = 0;
    do {
      await service.start();
      await service.stop();
      restarts += 1;
    } while (restarts < 3);
    await service.start();
    await waitFor(async () => (await gaps()) === 0, { message: 'the row is read back' });
    const items = await list();
    expect(items.filter(of('aave-v3'))).toEqual(before.filter(of('aave-v3')));
    const expected = day.filter(of('morpho-blue'));
    expect(expected.length).toBeGreaterThan(3);
    const hashes = items.filter(of('morpho-blue')).map(({ transactionHash }) => transactionHash);
    for (const { transactionHash } of expected)
      expect(hashes.filter((hash) => hash === transactionHash)).toHaveLength(1);
    expect(hashes).toHaveLength(new Set(items.filter(of('morpho-blue')).map(({ id }) => id)).size);
    const large = items.filter((item) => of('morpho-blue')(item) && item.usdValue >= 10_000);
    await waitFor(
      () =>
        large.every(({ id }) => service.events.filter(({ value }) => value?.activityId === id).length === 1),
      { message: 'each large move is published once' },
    );
  });

  it('is retracted by a reorg of the blocks that were read back', async () => {
    const newest = (await list()).find(of('morpho-blue'))!;
    const depth = (await chain.head()) - newest.block + 1;
    await chain.rpc.request('anvil_reorg', [depth, []]);
    await waitFor(async () => !(await list()).some(({ id }) => id === newest.id), {
      message: 'the replaced move is removed',
    });
  });
});
