import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { type ChainClient, ChainReadError, type Head, readBlockHash } from '@plimsoll/evm';
import type { ActivityReader } from '@plimsoll/protocols';
import { rowBackfillBlocks } from '../metrics';
import type { Cursor } from './chain-access';
import type { RangeReader } from './range-reader';
import type { RowBackfillStore } from './row-backfill.store';

/** Bounds of a chain's index, in blocks. */
export interface IndexerBounds {
  backfillBlocks: number;
  stepBlocks: number;
}

/** Reads the blocks before the cursor for rows of the registry that are new to a chain. */
export class RowBackfill {
  private readonly logger = new Logger('row-backfill');

  constructor(
    private readonly client: ChainClient,
    private readonly reader: RangeReader,
    private readonly store: RowBackfillStore,
    private readonly bounds: IndexerBounds,
  ) {}

  /** Call it after the rows are opened. From the cursor on, every step reads all of them. */
  async begin(cursor: Cursor, head: Head): Promise<void> {
    const { chainId } = this.client;
    const depth = BigInt(this.bounds.backfillBlocks);
    const from = head.number > depth ? head.number - depth + 1n : 1n;
    const keys = this.reader.opened.map(rowKey);
    await this.store.note(chainId, keys, from, cursor);
    const gap = await this.store.gap(chainId);
    if (gap) this.logger.log({ msg: 'rows are new to the chain and read back', chainId, rows: gap.keys });
  }

  /**
   * Runs one step. Returns false when nothing is left.
   * @throws ChainReadError, SupersededError
   */
  async step(cursor: Cursor, head: Head): Promise<boolean> {
    const { chainId } = this.client;
    const gap = await this.store.gap(chainId);
    rowBackfillBlocks.set({ chain: chainId }, gap ? Number(gap.last - gap.next) + 1 : 0);
    if (!gap) return false;
    const end = gap.next + BigInt(this.bounds.stepBlocks) - 1n;
    const to = end < gap.last ? end : gap.last;
    const hash = await readBlockHash(this.client, to);
    const own = new Set(gap.keys);
    const range = await this.reader.read(gap.next, to, head, (reader) => own.has(rowKey(reader)));
    // Logs are requested by number. Only this check proves that they belong to one branch.
    const isOneBranch =
      (await readBlockHash(this.client, to)) === hash &&
      (await readBlockHash(this.client, cursor.block)) === cursor.hash;
    if (!isOneBranch) {
      const message = `block ${to} of chain ${chainId} was replaced while it was read back: read again`;
      throw new ChainReadError('block_gone', chainId, message);
    }
    await this.store.fill(chainId, gap, to, cursor, range);
    return true;
  }
}

/**
 * Returns the key of what is read of a row. Another contract, or another event of its family, changes the
 * key.
 */
function rowKey({ row, filter }: Pick<ActivityReader, 'row' | 'filter'>): string {
  const contracts = Object.entries(row.contracts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const read = JSON.stringify([row.family, contracts, [...filter().topics].toSorted()]);
  const digest = createHash('sha256').update(read.toLowerCase()).digest('hex').slice(0, 16);
  return `${row.protocol}|${row.market}|${digest}`;
}
