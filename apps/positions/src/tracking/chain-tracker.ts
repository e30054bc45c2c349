import { Logger } from '@nestjs/common';
import { ChainReadError, type BlockRef, type HeadUpdate } from '@plimsoll/evm';
import { currentCorrelation, withCorrelation } from '@plimsoll/service-kit';
import type { Address } from 'viem';
import { BlockTimes } from './block-times';
import {
  blockFailures,
  blockSeconds,
  blocksHandled,
  blocksSkipped,
  eventsPublished,
  failingRows,
  headTimestamp,
} from '../metrics';
import { EventLatency } from './event-latency';
import type { MarketTracker } from './market-tracker';
import type { PositionChange } from './position-event';
import { type PositionStore, StaleStateError } from './position-store';
import type { TrackedWallets } from './tracked-wallets';
import { type SeenHead, WaitingHeads, isRecent } from './waiting-heads';

const RETRY_BASE_MS = 250;
const RETRY_CAP_MS = 10_000;

/**
 * Follows one chain, block by block. A market that could not be read at a block, or whose changes could not be
 * written, is read there again before the next block. A slow node causes skipped blocks and no delay beyond
 * that of WaitingHeads.
 */
export class ChainTracker {
  /** The reason why no new head arrives. Null while the node responds. */
  headFailure: string | null = null;
  /** The reasons why rows of the registry could not be read at the newest block, by protocol and market. */
  failingRows: ReadonlyMap<string, string> = new Map();

  /** The times of the heads that were received. */
  readonly blockTimes = new BlockTimes();
  /** How long the last blocks took until their events were committed. */
  readonly eventLatency = new EventLatency();

  private readonly logger: Logger;
  private readonly followed: MarketTracker[];
  private wasTried = false;
  private head: SeenHead | undefined;
  private readonly waiting = new WaitingHeads();
  /** The blocks at which a market is yet to be read again, oldest first. Replaced by a reorg. */
  private missed = new Map<MarketTracker, readonly SeenHead[]>();
  private handledHash: string | undefined;
  private restored = new Set<Address>();
  /** The list for which all wallets are restored. */
  private restoredList: readonly Address[] | undefined;
  private isDirty = false;
  private isClosed = false;
  private failures = 0;
  private retryTimer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;

  constructor(
    readonly chainId: number,
    markets: readonly MarketTracker[],
    private readonly store: PositionStore,
    private readonly tracked: TrackedWallets,
    private readonly random: () => number,
  ) {
    this.logger = new Logger(`chain-${chainId}`);
    this.followed = [...markets];
  }

  get markets(): readonly MarketTracker[] {
    return this.followed;
  }

  /** Follows further markets from the newest head on. */
  add(markets: readonly MarketTracker[]): void {
    this.followed.push(...markets);
    // Their states of an earlier run are not loaded yet.
    this.restored = new Set();
    this.restoredList = undefined;
    this.wake();
  }

  /** A new head of the chain. */
  offer({ head, newHeads, firstNewBlock, reorgDepth }: HeadUpdate): void {
    if (reorgDepth > 0 || firstNewBlock === null) {
      this.logger.warn({
        msg: 'reorg: all tracked wallets are read again',
        block: Number(head.number),
        reorgDepth,
      });
      const orphanedFrom = reorgDepth > 0 && firstNewBlock !== null ? Number(firstNewBlock) : null;
      for (const market of this.markets) market.readAll(orphanedFrom);
      this.waiting.clear();
      this.missed = new Map();
    }
    const seenAtMs = performance.now();
    this.head = { block: head, seenAtMs };
    this.waiting.add(firstNewBlock === null ? [head] : newHeads, seenAtMs);
    this.blockTimes.add({ number: Number(head.number), timestamp: Number(head.timestamp) });
    this.wake();
  }

  /** The node did not respond to a request for its head. The watcher retries. */
  headFailed(error: unknown): void {
    this.headFailure = reasonOf(error);
    blockFailures.inc({ chain: this.chainId, reason: this.headFailure });
    this.logger.warn({ msg: 'no new head can be read', err: error });
  }

  /**
   * The node returned its newest block, new or not. Blocks that were read before do not show that it
   * responds.
   */
  onHead(): void {
    this.headFailure = null;
  }

  /** Processes the newest head, a second time when wallets were added or it failed before. */
  wake(): void {
    this.isDirty = true;
    this.working ??= this.work().finally(() => (this.working = undefined));
  }

  /** The newest block that was received. */
  get latest(): BlockRef | undefined {
    return this.head?.block;
  }

  /** True after the first head was handled or failed. */
  get hasTried(): boolean {
    // A market that is added later does not count.
    this.wasTried ||=
      this.headFailure !== null || this.markets.every(({ figures, failure }) => figures ?? failure);
    return this.wasTried;
  }

  /** Waits for the block in progress. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.retryTimer);
    await this.working;
  }

  private async work(): Promise<void> {
    // Waits a turn of the event loop, so that heads of the same turn are processed together.
    await Promise.resolve();
    while (this.isDirty && !this.isClosed) {
      this.isDirty = false;
      try {
        await withCorrelation({}, () => this.handleHead());
      } catch (error) {
        this.retryLater(error);
      }
    }
  }

  private async handleHead(): Promise<void> {
    const wallets = this.tracked.list();
    await this.restore(wallets);
    // Read after the wait, together with the reorgs that were received: a block from before a reorg must
    // not count as one after it.
    const head = this.takeHead();
    if (!head) return;
    // Processed in this order even when this block fails.
    if (!this.waiting.isEmpty) this.isDirty = true;
    const outcomes = await Promise.allSettled(
      this.markets.map((market) => this.advance(market, head, wallets)),
    );
    const failed = outcomes.flatMap((outcome, index) => {
      if (outcome.status === 'fulfilled') return [];
      const market = this.markets[index];
      if (market) market.failure = reasonOf(outcome.reason);
      return [outcome.reason as unknown];
    });
    this.reportRows();
    // One unreadable row does not delay the others. An error in our code makes the block be processed again.
    const ours = failed.find((error) => !(error instanceof ChainReadError));
    if (ours !== undefined) throw ours;
    if (failed.length > 0 && failed.length === outcomes.length) throw failed[0];
    this.handled(head);
    // A row that was readable before is read again without a new head, which may take long to arrive.
    if (this.markets.some(({ figures, failure }) => figures && failure)) return this.wakeLater();
    this.failures = 0;
    clearTimeout(this.retryTimer);
  }

  private takeHead(): SeenHead | undefined {
    const skippedBefore = this.waiting.skipped;
    const head = this.waiting.take(performance.now()) ?? this.head;
    this.reportSkipped(this.waiting.skipped - skippedBefore);
    return head;
  }

  private reportSkipped(count: number): void {
    if (count === 0) return;
    blocksSkipped.inc({ chain: this.chainId }, count);
    this.logger.warn({ msg: 'blocks were skipped for newer ones', count });
  }

  /**
   * Reports unreadable rows of the registry, once each. The first block is the probe of every row. The rest
   * of the chain continues, and a failed row is tried again at the next block, or before it if it was
   * readable until now.
   */
  private reportRows(): void {
    const chain = this.chainId;
    const before = this.failingRows;
    this.failingRows = new Map(
      this.markets.flatMap(({ reader: { row }, failure }) =>
        failure === null ? [] : [[`${row.protocol} ${row.market}`, failure] as const],
      ),
    );
    for (const [row, reason] of this.failingRows) {
      blockFailures.inc({ chain, reason });
      if (before.get(row) !== reason)
        this.logger.warn({ msg: 'a row of the registry cannot be read', row, reason });
    }
    for (const row of before.keys())
      if (!this.failingRows.has(row)) this.logger.log({ msg: 'a row of the registry is read again', row });
    failingRows.set({ chain }, this.failingRows.size);
  }

  /** Advances a market to the blocks that it missed, as far as they are recent, and then to this one. */
  private async advance(market: MarketTracker, head: SeenHead, wallets: readonly Address[]): Promise<void> {
    const { missed } = this;
    const before = (missed.get(market) ?? []).filter(({ block }) => block.hash !== head.block.hash);
    missed.delete(market);
    const recent = before.filter((each) => isRecent(each, performance.now()));
    this.reportSkipped(before.length - recent.length);
    const due = [...recent, head];
    try {
      for (let next = due[0]; next && missed === this.missed; next = due[0]) {
        for await (const changes of market.advance(next.block, wallets)) await this.publish(changes);
        due.shift();
      }
    } catch (error) {
      // A row that was never readable has no state to compare with.
      if (market.figures) missed.set(market, due);
      throw error;
    }
  }

  private handled({ block, seenAtMs }: { block: BlockRef; seenAtMs: number }): void {
    const chain = this.chainId;
    // Called again for new wallets or after a failure: the block itself is not new.
    if (this.handledHash === block.hash) return;
    this.handledHash = block.hash;
    blocksHandled.inc({ chain });
    blockSeconds.observe({ chain }, (performance.now() - seenAtMs) / 1_000);
    headTimestamp.set({ chain }, Number(block.timestamp));
    this.eventLatency.add(Number(block.timestamp), Date.now());
  }

  /** States of wallets that became tracked since the last block: changes are measured against them. */
  private async restore(wallets: readonly Address[]): Promise<void> {
    if (wallets === this.restoredList) return;
    const fresh = wallets.filter((wallet) => !this.restored.has(wallet));
    if (fresh.length > 0) {
      for (const state of await this.store.load(this.chainId, fresh)) {
        const { protocol, market, wallet } = state.event;
        const tracker = this.markets.find(
          ({ reader: { row } }) => row.protocol === protocol && row.market === market,
        );
        tracker?.setPublished(wallet as Address, state);
      }
    }
    this.restored = new Set(wallets);
    this.restoredList = wallets;
  }

  private async publish(changes: readonly PositionChange[]): Promise<void> {
    let saved: readonly PositionChange[];
    try {
      // A position belongs to no account: the request that made its wallet tracked stays unknown to the others.
      saved = await this.store.save(changes, currentCorrelation());
    } catch (error) {
      if (!(error instanceof StaleStateError)) throw error;
      this.logger.warn({ msg: error.message });
      for (const wallet of error.wallets) this.restored.delete(wallet as Address);
      this.restoredList = undefined;
      this.isDirty = true;
      return;
    }
    for (const { key, after } of saved) {
      const tracker = this.markets.find(
        ({ reader: { row } }) => row.protocol === key.protocol && row.market === key.market,
      );
      tracker?.setPublished(key.wallet as Address, after);
      eventsPublished.inc({ reason: after.event.reason });
    }
  }

  private retryLater(error: unknown): void {
    blockFailures.inc({ chain: this.chainId, reason: reasonOf(error) });
    this.logger.warn({ msg: 'the block could not be handled', failures: this.failures, err: error });
    this.wakeLater();
  }

  private wakeLater(): void {
    if (this.isClosed) return;
    const waitMs =
      Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** Math.min(this.failures, 16)) * (0.5 + this.random() / 2);
    this.failures += 1;
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => this.wake(), waitMs);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof ChainReadError ? error.code : 'internal';
}
