import { Logger } from '@nestjs/common';
import { type ChainClient, ChainReadError, type Head, readBlockHash } from '@plimsoll/evm';
import type { ActivityReader } from '@plimsoll/protocols';
import type { Hex } from 'viem';
import { blocksBehind, indexFailures, indexedBlock, stepSeconds } from '../metrics';
import { type Cursor, SupersededError } from './chain-access';
import type { IndexStore } from './index-store';
import type { RangeReader } from './range-reader';
import type { IndexerBounds, RowBackfill } from './row-backfill';

const RETRY_MS = 100;
const MAX_RETRY_MS = 15_000;

/**
 * Brings the index of one chain up to each new head. The cursor names a block by its hash. When that block
 * was orphaned, the rows of orphaned blocks are deleted first.
 */
export class ChainIndexer {
  private readonly logger = new Logger('indexer');
  private pending: Head | undefined;
  private working: Promise<void> | undefined;
  private isOpen = false;
  private isClosed = false;
  private caughtUp = false;
  private retry: NodeJS.Timeout | undefined;
  private failures = 0;

  constructor(
    private readonly client: ChainClient,
    private readonly reader: RangeReader,
    private readonly store: IndexStore,
    private readonly backfill: RowBackfill,
    private readonly bounds: IndexerBounds,
    /** Returns readers of the markets that the chain lists since the last call. Never rejects. */
    private readonly listed: (head: Head) => Promise<readonly ActivityReader[]> = () => Promise.resolve([]),
    private readonly random: () => number = Math.random,
  ) {}

  get chainId(): number {
    return this.client.chainId;
  }

  /** Whether the back-fill is complete. */
  get isCaughtUp(): boolean {
    return this.caughtUp;
  }

  /** Offers a new head. Heads that arrive during a step are combined. */
  offer(head: Head): void {
    this.pending = head;
    if (!this.isClosed) this.working ??= this.work().finally(() => (this.working = undefined));
  }

  /** Waits for the current step. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.retry);
    await this.working;
  }

  private async work(): Promise<void> {
    for (let head = this.pending; head && !this.isClosed; head = this.pending) {
      this.pending = undefined;
      try {
        await this.follow(head);
        this.failures = 0;
      } catch (error) {
        this.failed(error, head);
      }
    }
  }

  private async follow(head: Head): Promise<void> {
    const listed = await this.listed(head);
    if (listed.length > 0) {
      this.reader.add(listed);
      this.isOpen = false;
    }
    if (!this.isOpen) {
      await this.reader.open(head);
      await this.store.forgetLabelled(this.chainId, this.reader.labelled);
    }
    let cursor = await this.canonicalCursor(head);
    if (!this.isOpen) await this.backfill.begin(cursor, head);
    this.isOpen = true;
    while (cursor.block < head.number && !this.isClosed) {
      blocksBehind.set({ chain: this.chainId }, Number(head.number - cursor.block));
      cursor = await this.step(cursor, head);
    }
    if (cursor.block < head.number) return;
    this.caughtUp = true;
    blocksBehind.set({ chain: this.chainId }, 0);
    // New heads have priority.
    while (!this.pending && !this.isClosed && (await this.backfill.step(cursor, head)));
  }

  private async step(cursor: Cursor, head: Head): Promise<Cursor> {
    const end = stepSeconds.startTimer({ chain: this.chainId });
    const last = cursor.block + BigInt(this.bounds.stepBlocks);
    const block = last < head.number ? last : head.number;
    const hash = await this.hashAt(block);
    const range = await this.reader.read(cursor.block + 1n, block, head);
    // Logs are requested by number. Only this check proves that they belong to one branch.
    if ((await this.hashAt(block)) !== hash || (await this.hashAt(cursor.block)) !== cursor.hash) {
      throw this.removed(block);
    }
    const next = { block, hash };
    await this.store.advance(this.chainId, cursor, next, range);
    indexedBlock.set({ chain: this.chainId }, Number(block));
    end();
    return next;
  }

  private async canonicalCursor(head: Head): Promise<Cursor> {
    const cursor = (await this.store.cursor(this.chainId)) ?? (await this.begin(head));
    const isCanonical = await this.isCanonical(cursor);
    if (isCanonical) return cursor;
    const reachable = (await this.store.checkpoints(this.chainId)).filter(
      ({ block }) => block <= head.number,
    );
    const fork = await this.newestCanonical(reachable);
    // The node is behind the cursor, so nothing was replaced.
    if (cursor.block > head.number && fork && fork === reachable[0]) return cursor;
    const to = fork ?? (await this.floor(head));
    const looked = await this.scanned(to.block);
    const reverted = await this.store.rewind(this.chainId, cursor, to, looked);
    this.logger.warn({
      msg: 'blocks were replaced: their moves are retracted',
      chainId: this.chainId,
      fromBlock: Number(cursor.block),
      toBlock: Number(to.block),
      reverted,
    });
    return to;
  }

  private async begin(head: Head): Promise<Cursor> {
    await this.store.begin(this.chainId, await this.floor(head));
    return (await this.store.cursor(this.chainId)) ?? this.floor(head);
  }

  private async floor(head: Head): Promise<Cursor> {
    const depth = BigInt(this.bounds.backfillBlocks);
    const block = head.number > depth ? head.number - depth : 0n;
    return { block, hash: await this.hashAt(block) };
  }

  private async newestCanonical(checkpoints: readonly Cursor[]): Promise<Cursor | null> {
    for (const checkpoint of checkpoints) if (await this.isCanonical(checkpoint)) return checkpoint;
    return null;
  }

  private async scanned(above: bigint): Promise<{ hash: Hex; isGone: boolean }[]> {
    const looked: { hash: Hex; isGone: boolean }[] = [];
    for (const written of await this.store.blocksAbove(this.chainId, above))
      looked.push({ hash: written.hash, isGone: !(await this.isCanonical(written)) });
    return looked;
  }

  private async isCanonical({ block, hash }: Cursor): Promise<boolean> {
    return (await readBlockHash(this.client, block)) === hash;
  }

  private async hashAt(block: bigint): Promise<Hex> {
    const hash = await readBlockHash(this.client, block);
    if (hash === null) throw this.removed(block);
    return hash;
  }

  private removed(block: bigint): ChainReadError {
    const message = `block ${block} of chain ${this.chainId} was replaced while it was read: read again`;
    return new ChainReadError('block_gone', this.chainId, message);
  }

  /** Tries again from the cursor, with the next head or after a delay. */
  private failed(error: unknown, head: Head): void {
    this.failures += 1;
    const waitMs = Math.min(RETRY_MS * 2 ** (this.failures - 1), MAX_RETRY_MS) * (1 + this.random());
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.offer(this.pending ?? head), waitMs).unref();
    if (error instanceof SupersededError) return;
    const reason = error instanceof ChainReadError ? error.code : 'error';
    indexFailures.inc({ chain: this.chainId, reason });
    this.logger.warn({
      msg: 'the chain could not be indexed; the next head tries again',
      chainId: this.chainId,
      err: error,
    });
  }
}
