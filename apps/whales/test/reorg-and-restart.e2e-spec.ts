import type { WhaleActivityItem, WhaleActivityList } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { type Hex, encodeFunctionData, parseAbi } from 'viem';
import { type ChainFixture, startChain } from './chain-fixture';
import { WETH, actor, playDay } from './scripted-day';
import { ServiceFixture } from './service-fixture';

jest.setTimeout(90_000);

const poolAbi = parseAbi([
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
]);
const ben = actor(2);

let chain: ChainFixture;
let service: ServiceFixture;

const supply = (amount: bigint): Hex =>
  encodeFunctionData({ abi: poolAbi, functionName: 'supply', args: [chain.token('WETH'), amount, ben, 0] });
const act = (amount: bigint): Promise<Hex> => chain.send(ben, chain.addresses.pool, supply(amount));

async function list(): Promise<WhaleActivityItem[]> {
  const { body } = await service.get<WhaleActivityList>('/v1/whales/activity?minUsd=0&limit=200');
  return body.activity;
}

/** Returns every log of the day from the node itself, by block hash and index. */
async function placesOnChain(items: readonly WhaleActivityItem[]): Promise<string[]> {
  const places = await Promise.all(
    items.map(async ({ transactionHash, logIndex }) => {
      const receipt = await chain.rpc.request<{ blockHash: Hex; logs: { logIndex: Hex }[] } | null>(
        'eth_getTransactionReceipt',
        [transactionHash],
      );
      const isThere = receipt?.logs.some((log) => Number(log.logIndex) === logIndex) ?? false;
      return isThere ? `${receipt?.blockHash} ${logIndex}` : 'gone';
    }),
  );
  return places;
}

beforeAll(async () => {
  chain = await startChain();
  await chain.fund('WETH', 5_000n * WETH, ben);
  service = await ServiceFixture.create([chain.endpoint], chain.overlayPath, { STEP_BLOCKS: 3 });
  await service.start();
  await service.indexedTo(await chain.head());
});

afterAll(async () => {
  await service?.close();
  await chain?.close();
});

describe('a reorg', () => {
  it('retracts the moves of the replaced blocks, and publishes the retractions', async () => {
    const kept = await act(10n * WETH);
    const gone = [await act(11n * WETH), await act(12n * WETH)];
    await service.indexedTo(await chain.head());
    await waitFor(async () => (await list()).some(({ transactionHash }) => transactionHash === gone[1]), {
      message: 'both are listed',
    });

    await chain.rpc.request('anvil_reorg', [2, []]);
    await waitFor(
      async () => !(await list()).some(({ transactionHash }) => gone.includes(transactionHash as Hex)),
      {
        timeoutMs: 15_000,
        message: 'the reverted moves are removed',
      },
    );
    expect((await list()).map(({ transactionHash }) => transactionHash)).toContain(kept);
    const published = await waitFor(
      () => {
        const found = service.events.filter(({ value }) => value?.status === 'reverted');
        return found.length === 2 && found;
      },
      { message: 'two corrections' },
    );
    const observed = new Map(service.events.map(({ value }) => [value?.activityId, value]));
    for (const { key, value } of published) {
      expect(gone).toContain(value?.transactionHash);
      expect(key).toBe(ben);
      expect(observed.has(value?.activityId)).toBe(true);
    }
  });

  it('lists the moves of the new blocks instead, once', async () => {
    const before = await list();
    const again = { from: ben, to: chain.addresses.pool, data: supply(13n * WETH), gas: '0x16e360' };
    await chain.rpc.request('anvil_reorg', [1, [[again, 0]]]);
    const found = await waitFor(
      async () => {
        const fitting = (await list()).filter(({ amountRaw }) => BigInt(amountRaw) === 13n * WETH);
        return fitting.length > 0 && fitting;
      },
      { timeoutMs: 15_000, message: 'the supply in the new block' },
    );
    expect(found).toHaveLength(1);
    expect(await list()).toHaveLength(before.length + 1);
  });

  it('is detected after a start if it happened while the service was down', async () => {
    const gone = await act(14n * WETH);
    await service.indexedTo(await chain.head());
    await service.stop();
    await chain.rpc.request('anvil_reorg', [2, []]);
    const kept = await act(15n * WETH);
    await service.start();
    await waitFor(async () => (await list()).some(({ transactionHash }) => transactionHash === kept), {
      timeoutMs: 15_000,
      message: 'the move of the new branch',
    });
    expect((await list()).map(({ transactionHash }) => transactionHash)).not.toContain(gone);
  });
});

describe('a restart in the middle', () => {
  it('loses and repeats no move', async () => {
    const state = { isOver: false };
    const playing = playDay(chain).finally(() => (state.isOver = true));
    let restarts = 0;
    for (; !state.isOver; restarts += 1) {
      await service.stop();
      await service.start();
    }
    const day = await playing;
    expect(restarts).toBeGreaterThan(1);
    await service.indexedTo(await chain.head());
    const items = await list();
    const hashes = items.map(({ transactionHash }) => transactionHash);
    for (const { transactionHash } of day) {
      expect(hashes.filter((hash) => hash === transactionHash)).toHaveLength(1);
    }
    expect(await placesOnChain(items)).toEqual(
      items.map(({ blockHash, logIndex }) => `${blockHash} ${logIndex}`),
    );
    const large = items.filter(({ usdValue }) => usdValue >= 10_000).map(({ id }) => id);
    const net = (): string[] => {
      const standing = new Map<string, number>();
      for (const { value } of service.events) {
        const change = value?.status === 'observed' ? 1 : -1;
        const id = value?.activityId ?? '';
        standing.set(id, (standing.get(id) ?? 0) + change);
      }
      return [...standing].flatMap(([id, count]) => (count === 0 ? [] : [`${id} ${count}`])).sort();
    };
    const expected = large.map((id) => `${id} 1`).sort();
    await waitFor(() => net().join() === expected.join(), { message: 'each move is published once' });
  });

  it('begins at most at the configured depth', async () => {
    const shallow = await ServiceFixture.create([chain.endpoint], chain.overlayPath, { BACKFILL_BLOCKS: 5 });
    await shallow.start();
    const head = await chain.head();
    await shallow.indexedTo(head);
    const { rows } = await shallow.pool.query<{ lowest: string }>(
      'SELECT min(block) AS lowest FROM checkpoints',
    );
    expect(Number(rows[0]?.lowest)).toBe(head - 5);
    await shallow.close();
  });
});
