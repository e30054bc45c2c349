import { type BlockRef, ChainReadError, type HeadUpdate } from '@plimsoll/evm';
import { waitFor } from '@plimsoll/testing';
import { ChainTracker } from './chain-tracker';
import type { MarketTracker } from './market-tracker';
import type { PositionStore } from './position-store';
import type { TrackedWallets } from './tracked-wallets';

const head = (number: number, fork = 0) => ({
  number: BigInt(number),
  hash: `0x${String(number * 10 + fork).padStart(64, '0')}` as const,
  parentHash: `0x${'0'.repeat(64)}` as const,
  timestamp: BigInt(number),
});
const update = (over: Partial<HeadUpdate> & Pick<HeadUpdate, 'head'>): HeadUpdate => ({
  newHeads: [over.head],
  firstNewBlock: over.head.number,
  reorgDepth: 0,
  source: 'push',
  ...over,
});

/** A market that records the blocks it was advanced to. */
interface FakeMarket {
  reader: object;
  figures: { block: BlockRef } | null;
  failure: string | null;
  advance(block: BlockRef): AsyncGenerator<never>;
}

const marketOf = (name: string, advanceTo: (block: BlockRef) => Promise<void>): FakeMarket => ({
  reader: { row: { protocol: 'aave-v3', market: name } },
  figures: null,
  failure: null,
  async *advance(block) {
    await advanceTo(block);
    this.figures = { block };
    this.failure = null;
    // No position changes here.
    yield* [];
  },
});

function trackerOf(...markets: FakeMarket[]): ChainTracker {
  const wallets: never[] = [];
  return new ChainTracker(
    1,
    markets.map((market) => ({ ...market, readAll: () => undefined }) as unknown as MarketTracker),
    { load: async () => [] } as unknown as PositionStore,
    { list: () => wallets } as unknown as TrackedWallets,
    () => 0,
  );
}

describe('a market that is added later', () => {
  it('is read at the newest head, and the chain stays tried', async () => {
    const blocks: Record<string, number[]> = { First: [], Second: [] };
    const market = (name: string): FakeMarket =>
      marketOf(name, async ({ number }) => void blocks[name]!.push(Number(number)));
    const tracker = trackerOf(market('First'));
    tracker.offer(update({ head: head(1) }));
    await waitFor(() => tracker.hasTried, { message: 'block 1 was handled' });
    tracker.add([{ ...market('Second'), readAll: () => undefined } as unknown as MarketTracker]);
    expect(tracker.hasTried).toBe(true);
    expect(tracker.markets).toHaveLength(2);
    await waitFor(() => blocks['Second']!.length > 0, { message: 'the second market was read' });
    expect(blocks['Second']).toEqual([1]);
  });
});

/** A tracker with one market, whose blocks take as long as the test wants. */
function scene() {
  const handled: number[] = [];
  let release: (() => void) | null = null;
  const tracker = trackerOf(
    marketOf('Test', ({ number }) => {
      handled.push(Number(number));
      return new Promise<void>((resolve) => (release = resolve));
    }),
  );
  const next = async (count: number): Promise<void> => {
    await waitFor(() => handled.length >= count, { message: `${count} blocks` });
    release?.();
  };
  return { tracker, handled, next };
}

describe('ChainTracker', () => {
  it('handles every block that was pushed while another was in work, in order', async () => {
    const { tracker, handled, next } = scene();
    tracker.offer(update({ head: head(1) }));
    await waitFor(() => handled.length === 1, { message: 'block 1' });
    tracker.offer(update({ head: head(2) }));
    tracker.offer(update({ head: head(4), newHeads: [head(3), head(4)] }));
    for (const count of [1, 2, 3, 4]) await next(count);
    await tracker.close();
    expect(handled).toEqual([1, 2, 3, 4]);
  });

  it('handles every polled block too, because a subscription may have ended in between', async () => {
    const { tracker, handled, next } = scene();
    tracker.offer(update({ head: head(1) }));
    await waitFor(() => handled.length === 1, { message: 'block 1' });
    tracker.offer(update({ head: head(3), newHeads: [head(2), head(3)], source: 'poll' }));
    for (const count of [1, 2, 3]) await next(count);
    await tracker.close();
    expect(handled).toEqual([1, 2, 3]);
  });

  it('handles no block that a reorg removed', async () => {
    const { tracker, handled, next } = scene();
    tracker.offer(update({ head: head(1) }));
    await waitFor(() => handled.length === 1, { message: 'block 1' });
    tracker.offer(update({ head: head(3), newHeads: [head(2), head(3)] }));
    tracker.offer(update({ head: head(3, 1), newHeads: [head(3, 1)], reorgDepth: 1, firstNewBlock: 3n }));
    for (const count of [1, 2]) await next(count);
    await tracker.close();
    expect(handled).toEqual([1, 3]);
  });

  it('handles a block again that a market could not read, before the next one, and the others once', async () => {
    const read: string[] = [];
    let failures = 2;
    const tracker = trackerOf(
      marketOf('A', async ({ number }) => {
        if (number === 2n && failures > 0) {
          failures -= 1;
          throw new ChainReadError('rpc_unavailable', 1, 'no response');
        }
        read.push(`A ${number}`);
      }),
      marketOf('B', async ({ number }) => void read.push(`B ${number}`)),
    );
    tracker.offer(update({ head: head(1) }));
    await waitFor(() => read.length === 2, { message: 'block 1' });
    tracker.offer(update({ head: head(3), newHeads: [head(2), head(3)] }));
    await waitFor(() => read.includes('A 3'), { message: 'block 3' });
    await tracker.close();
    expect(read.filter((each) => each.startsWith('A'))).toEqual(['A 1', 'A 2', 'A 3']);
    expect([...new Set(read.filter((each) => each.startsWith('B')))]).toEqual(['B 1', 'B 2', 'B 3']);
  });

  it('handles a block again whose changes could not be written', async () => {
    const read: number[] = [];
    let isDown = true;
    const tracker = trackerOf(
      marketOf('A', async ({ number }) => {
        if (number === 2n && isDown) {
          isDown = false;
          throw new Error('the database is down');
        }
        read.push(Number(number));
      }),
    );
    tracker.offer(update({ head: head(1) }));
    await waitFor(() => read.length === 1, { message: 'block 1' });
    tracker.offer(update({ head: head(3), newHeads: [head(2), head(3)] }));
    await waitFor(() => read.includes(3), { message: 'block 3' });
    await tracker.close();
    expect(read).toEqual([1, 2, 3]);
  });

  it('handles a failed block no more after a reorg', async () => {
    const read: string[] = [];
    const tracker = trackerOf(
      marketOf('A', async ({ number, hash }) => {
        if (hash === head(2).hash) throw new ChainReadError('block_gone', 1, 'gone');
        read.push(`${number} ${hash === head(2, 1).hash ? 'new' : 'old'}`);
      }),
    );
    tracker.offer(update({ head: head(1) }));
    await waitFor(() => read.length === 1, { message: 'block 1' });
    tracker.offer(update({ head: head(2) }));
    await waitFor(() => tracker.failingRows.size > 0, { message: 'block 2 failed' });
    tracker.offer(update({ head: head(2, 1), reorgDepth: 1, firstNewBlock: 2n }));
    await waitFor(() => read.length === 2, { message: 'the new block 2' });
    await tracker.close();
    expect(read).toEqual(['1 old', '2 new']);
  });
});
