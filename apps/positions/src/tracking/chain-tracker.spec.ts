import type { BlockRef, HeadUpdate } from '@plimsoll/evm';
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

/** A tracker with one market, whose blocks take as long as the test wants. */
function scene() {
  const handled: number[] = [];
  let release: (() => void) | null = null;
  const market = {
    reader: { row: { protocol: 'aave-v3', market: 'Test' } },
    figures: null,
    failure: null,
    readAll: () => undefined,
    // oxlint-disable-next-line require-yield -- no position changes here
    async *advance({ number }: BlockRef) {
      handled.push(Number(number));
      await new Promise<void>((resolve) => (release = resolve));
    },
  };
  const wallets: never[] = [];
  const tracker = new ChainTracker(
    1,
    [market as unknown as MarketTracker],
    { load: async () => [] } as unknown as PositionStore,
    { list: () => wallets } as unknown as TrackedWallets,
    () => 0,
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

  it('handles only the newest of polled blocks, and no block that a reorg removed', async () => {
    const { tracker, handled, next } = scene();
    tracker.offer(update({ head: head(1) }));
    await waitFor(() => handled.length === 1, { message: 'block 1' });
    tracker.offer(update({ head: head(3), newHeads: [head(2), head(3)], source: 'poll' }));
    tracker.offer(update({ head: head(3, 1), newHeads: [head(3, 1)], reorgDepth: 1, firstNewBlock: 3n }));
    for (const count of [1, 2]) await next(count);
    await tracker.close();
    expect(handled).toEqual([1, 3]);
  });
});
