import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import {
  type BlockRef,
  type ChainClient,
  ChainReadError,
  type MarketRow,
  firstBlockOf,
  readBlockHash,
  readLogs,
} from '@plimsoll/evm';
import type { HoldingsIndex, IndexSource } from '@plimsoll/protocols';
import type { Address } from 'viem';
import type { Cursor, HoldingsIndexRepository } from './holdings-index.repository';
import { PreparedSubIds } from './prepared-sub-ids';

/** The number of blocks below the settled ones that one step searches for a reorg. */
const REWIND_BLOCKS = 2_048n;
/** Blocks read between two writes of the cursor. */
const STEP_BLOCKS = 20_000n;
const MAX_COVERED_HASHES = 256;

/** Bounds of the index, in blocks. */
export interface LogIndexBounds {
  /** Depth at which a block counts as settled. Blocks above it are read again with every new head. */
  confirmations: bigint;
  /** The largest gap for which a request waits. A larger one is read in the background. */
  maxWaitBlocks: bigint;
}

const BOUNDS: LogIndexBounds = { confirmations: 64n, maxWaitBlocks: 4_000n };

/**
 * Finds the sub-ids of wallets in the logs of one chain. Entries are only added, and each only names a sub-id
 * to read. A reorg can leave too many entries but never too few: unsettled blocks are read again, and a settled
 * block whose hash changed resets the cursor.
 */
export class LogIndex implements HoldingsIndex {
  private readonly logger = new Logger('holdings-index');
  /** Heads whose branch is read to the end, by row. */
  private readonly covered = new Map<MarketRow, Set<string>>();
  private readonly working = new Map<MarketRow, Promise<void>>();
  /** The sources that the readers of the chain need at each block, by row. */
  private readonly sources = new Map<MarketRow, IndexSource>();
  private readonly prepared = new PreparedSubIds();
  private isClosed = false;

  constructor(
    private readonly client: ChainClient,
    private readonly repository: HoldingsIndexRepository,
    private readonly bounds: LogIndexBounds = BOUNDS,
  ) {}

  async subIdsOf(
    row: MarketRow,
    source: IndexSource,
    wallets: readonly Address[],
    block: BlockRef,
  ): Promise<ReadonlyMap<Address, readonly string[]>> {
    if (source.isOccasional !== true) this.keep(row, source);
    const prepared = this.prepared.find(row, block.hash, wallets);
    if (prepared) return prepared;
    await this.cover(row, source, block);
    return this.repository.subIds(row, wallets);
  }

  /**
   * Looks up the sub-ids that the readers will need next, so that they do not wait one after the other. Never
   * rejects: each reader gets its own error.
   */
  async prepare(wallets: readonly Address[], block: BlockRef): Promise<void> {
    await Promise.allSettled(
      [...this.sources].map(async ([row, source]) => {
        if (this.prepared.find(row, block.hash, wallets)) return;
        await this.cover(row, source, block);
        this.prepared.put(row, block.hash, wallets, await this.repository.subIds(row, wallets));
      }),
    );
  }

  /** Waits for current reads. It starts no new ones. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.working.values());
  }

  /** A source that grew replaces the one that it was: both have the same cursor. */
  private keep(row: MarketRow, source: IndexSource): void {
    if (!this.sources.has(row))
      for (const known of this.sources.keys())
        if (known.protocol === row.protocol && known.market === row.market) this.sources.delete(known);
    this.sources.set(row, source);
  }

  private async cover(row: MarketRow, source: IndexSource, block: BlockRef): Promise<void> {
    const isCovered = (): boolean => this.covered.get(row)?.has(block.hash) ?? false;
    if (isCovered()) return;
    const fingerprint = fingerprintOf(source);
    const cursor = await this.canonicalCursor(row, source, block);
    const read = this.working.get(row) ?? this.begin(row, source, fingerprint, cursor, block);
    if (block.number - cursor.block > this.bounds.maxWaitBlocks) {
      // The next caller receives the outcome.
      read.catch(() => undefined);
      throw this.behind(row, cursor.block, block);
    }
    await read;
    if (!isCovered()) await this.cover(row, source, block);
  }

  private begin(
    row: MarketRow,
    source: IndexSource,
    fingerprint: string,
    cursor: Cursor,
    block: BlockRef,
  ): Promise<void> {
    const read = this.read(row, source, fingerprint, cursor, block).finally(() => this.working.delete(row));
    this.working.set(row, read);
    return read;
  }

  /** The cursor, moved back to a block that still is part of the chain. */
  private async canonicalCursor(row: MarketRow, source: IndexSource, block: BlockRef): Promise<Cursor> {
    const stored = await this.repository.cursor(row);
    const read = stored ? addressesReadIn(source, stored.source) : 0;
    const firsts = source.addresses
      .slice(read)
      .map((address) => firstBlockOf(this.client, address, block.number));
    const first = (await Promise.all(firsts)).reduce((a, b) => (a < b ? a : b), block.number);
    if (!stored || read === 0) return { block: first - 1n, hash: null };
    let cursor: Cursor = stored;
    while (cursor.hash !== null && (await readBlockHash(this.client, cursor.block)) !== cursor.hash) {
      const back: bigint = cursor.block > REWIND_BLOCKS ? cursor.block - REWIND_BLOCKS : 0n;
      this.logger.warn({
        msg: 'A settled block was removed: its logs are read again',
        chainId: row.chainId,
        protocol: row.protocol,
        block: Number(cursor.block),
      });
      cursor = { block: back, hash: back === 0n ? null : await readBlockHash(this.client, back) };
      await this.repository.rewind(row, stored.source, cursor);
    }
    // The logs of contracts that were added to the source are read from the first of these contracts on.
    const isKnown = read === source.addresses.length || first > cursor.block;
    return isKnown ? cursor : { block: first - 1n, hash: null };
  }

  private async read(
    row: MarketRow,
    source: IndexSource,
    fingerprint: string,
    cursor: Cursor,
    head: BlockRef,
  ): Promise<void> {
    const settled = head.number - this.bounds.confirmations;
    for (let from = cursor.block + 1n; from <= head.number;) {
      if (this.isClosed) throw this.behind(row, from - 1n, head);
      const to = from + STEP_BLOCKS - 1n < head.number ? from + STEP_BLOCKS - 1n : head.number;
      for await (const { logs } of readLogs(this.client, source, from, to))
        await this.repository.add(
          row,
          logs.flatMap((log) => [...source.entriesOf(log)]),
        );
      const done = to < settled ? to : settled;
      if (done >= from) {
        const hash = await readBlockHash(this.client, done);
        await this.repository.advance(row, fingerprint, { block: done, hash });
      }
      from = to + 1n;
    }
    // Logs are requested by number, so only this check proves that they belong to this head's branch.
    if ((await readBlockHash(this.client, head.number)) !== head.hash) {
      const message = `block ${head.number} (${head.hash}) is not on chain ${row.chainId}: read at the new head`;
      throw new ChainReadError('block_gone', row.chainId, message);
    }
    this.markCovered(row, head);
  }

  private behind(row: MarketRow, readTo: bigint, { number }: BlockRef): ChainReadError {
    const message = `the logs of ${row.protocol} ${row.market} are read up to block ${readTo} of ${number}: ask again later`;
    return new ChainReadError('index_behind', row.chainId, message);
  }

  private markCovered(row: MarketRow, { hash }: BlockRef): void {
    const hashes = this.covered.get(row) ?? new Set<string>();
    this.covered.set(row, hashes.add(hash));
    const [oldest] = hashes;
    if (hashes.size > MAX_COVERED_HASHES && oldest !== undefined) hashes.delete(oldest);
  }
}

/**
 * How many of its first contracts a source has in common with the one of this fingerprint: lists of contracts grow at
 * their end. 0 if that was another source.
 */
function addressesReadIn({ addresses, topics }: IndexSource, fingerprint: string): number {
  let count = addresses.length;
  while (count > 0 && fingerprintOf({ addresses: addresses.slice(0, count), topics }) !== fingerprint)
    count -= 1;
  return count;
}

function fingerprintOf({ addresses, topics }: Pick<IndexSource, 'addresses' | 'topics'>): string {
  const text = [...addresses, ...topics].map((each) => each.toLowerCase()).join(' ');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
