import { Logger } from '@nestjs/common';
import type { WhalePriceBasis } from '@plimsoll/contracts';
import {
  type BlockRef,
  type ChainClient,
  ChainReadError,
  type LogFilter,
  type MinedLog,
  readHeadAt,
  readLogs,
} from '@plimsoll/evm';
import type { Activity, ActivityReader, PricedToken } from '@plimsoll/protocols';
import type { Address } from 'viem';
import { failingRows } from '../metrics';
import type { ContextReader } from '../effects/context-reader';
import { type ActivityRow, activityRow } from '../activity-row';
import type { IndexedRange } from './index-store';

/** Blocks whose headers and prices are requested at the same time. */
const PARALLEL_BLOCKS = 8;
/** Addresses in one filter. Nodes accept this many (geth rejects more than 1,000). */
const ADDRESSES_PER_CALL = 500;
/** A new market may name another one. Two rounds are usual. */
const MOST_ROUNDS = 8;

export interface RangeReaderOptions {
  addressesPerCall?: number;
  /** Absent: every wallet is reported, and nothing is read beside the logs. */
  context?: ContextReader;
}

/** Reads the content of a range of blocks of one chain. */
export class RangeReader {
  private readonly logger = new Logger('range-reader');
  private readonly all: ActivityReader[];
  /** Readers whose contracts respond as their family does. */
  private readers: readonly ActivityReader[] = [];
  private readonly addressesPerCall: number;
  private readonly context: ContextReader | undefined;

  constructor(
    private readonly client: ChainClient,
    all: readonly ActivityReader[],
    { addressesPerCall = ADDRESSES_PER_CALL, context }: RangeReaderOptions = {},
  ) {
    this.all = [...all];
    this.addressesPerCall = addressesPerCall;
    this.context = context;
  }

  get opened(): readonly ActivityReader[] {
    return this.readers;
  }

  /** Addresses whose moves are not reported, available after open. */
  get labelled(): readonly Address[] {
    return this.context?.labelled ?? [];
  }

  /** Adds further markets. They are read after the next call of `open`. */
  add(readers: readonly ActivityReader[]): void {
    this.all.push(...readers);
  }

  /**
   * Opens the markets that are not open yet. Call it once before all else, and after `add`.
   * @throws ChainReadError when the node does not respond
   */
  async open(block: BlockRef): Promise<void> {
    const before = new Set(this.readers);
    const opened: ActivityReader[] = [];
    for (const reader of this.all)
      if (before.has(reader) || (await this.isOpened(reader, block))) opened.push(reader);
    this.readers = opened;
    failingRows.set({ chain: this.client.chainId }, this.all.length - opened.length);
  }

  private async isOpened(reader: ActivityReader, block: BlockRef): Promise<boolean> {
    try {
      await reader.open(block);
      return true;
    } catch (error) {
      if (!(error instanceof ChainReadError) || !OF_THE_ROW.has(error.code)) throw error;
      const { protocol, market, chainId } = reader.row;
      this.logger.warn({ msg: 'a row of the registry is omitted', chainId, protocol, market, err: error });
      return false;
    }
  }

  /**
   * Both ends included. Every activity is in a block that was part of the chain when it was priced.
   * @param isWanted the rows to read; by default all opened ones
   * @throws ChainReadError block_gone when one was not
   */
  async read(
    fromBlock: bigint,
    toBlock: bigint,
    head: BlockRef,
    isWanted: (reader: ActivityReader) => boolean = () => true,
  ): Promise<IndexedRange> {
    const readers = this.readers.filter(isWanted);
    const logs = await this.readLogs(readers, fromBlock, toBlock, head);
    const found = readers.map((reader) => {
      const { activities, permissions } = reader.read(logs);
      return { reader, activities: this.context?.reported(activities) ?? activities, permissions };
    });
    const byBlock = new Map<string, { reader: ActivityReader; activities: Activity[] }[]>();
    for (const { reader, activities } of found) {
      for (const [block, own] of groupBy(activities, ({ log }) => log.blockNumber)) {
        byBlock.set(block, [...(byBlock.get(block) ?? []), { reader, activities: own }]);
      }
    }
    const rows: ActivityRow[] = [];
    const blocks = [...byBlock];
    for (let at = 0; at < blocks.length; at += PARALLEL_BLOCKS) {
      const chunk = blocks.slice(at, at + PARALLEL_BLOCKS);
      const read = await Promise.all(chunk.map(([block, own]) => this.price(BigInt(block), own, head)));
      rows.push(...read.flat());
    }
    rows.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
    await this.context?.add(rows);
    return { activities: rows, permissions: found.flatMap(({ permissions }) => permissions) };
  }

  /** Repeats the read when the logs name contracts whose logs were not requested. */
  private async readLogs(
    readers: readonly ActivityReader[],
    fromBlock: bigint,
    toBlock: bigint,
    head: BlockRef,
  ): Promise<MinedLog[]> {
    for (let round = 1; ; round += 1) {
      const logs: MinedLog[] = [];
      for (const filter of this.filters(readers)) {
        for await (const read of readLogs<MinedLog>(this.client, filter, fromBlock, toBlock)) {
          for (const log of read.logs) logs.push(log);
        }
      }
      logs.sort(byLogOrder);
      const grown = await Promise.all(readers.map((reader) => reader.learn(logs, head)));
      if (!grown.includes(true) || round === MOST_ROUNDS) return logs;
    }
  }

  private filters(readers: readonly ActivityReader[]): LogFilter[] {
    const filters = readers.map((reader) => reader.filter());
    const addresses = [...new Set(filters.flatMap((filter) => filter.addresses))];
    const topics = [...new Set(filters.flatMap((filter) => filter.topics))];
    return Array.from({ length: Math.ceil(addresses.length / this.addressesPerCall) }, (_, part) => ({
      addresses: addresses.slice(part * this.addressesPerCall, (part + 1) * this.addressesPerCall),
      topics,
    }));
  }

  private async price(
    number: bigint,
    markets: readonly { reader: ActivityReader; activities: Activity[] }[],
    head: BlockRef,
  ): Promise<ActivityRow[]> {
    const block = await readHeadAt(this.client, number);
    const isGone = ({ log }: Activity): boolean => log.blockHash !== block?.hash;
    if (!block || markets.some(({ activities }) => activities.some(isGone))) {
      const message = `block ${number} of chain ${this.client.chainId} was replaced while its logs were read: read again`;
      throw new ChainReadError('block_gone', this.client.chainId, message);
    }
    const rows = await Promise.all(
      markets.map(async ({ reader, activities }) => {
        const wanted = [...new Set(activities.map(({ token }) => token))];
        const { tokens, priceBasis } = await this.tokensAt(reader, wanted, block, head);
        return activities.flatMap((activity) => {
          const token = tokens.get(activity.token);
          return token ? [activityRow(activity, { market: reader.row, block, token, priceBasis })] : [];
        });
      }),
    );
    return rows.flat();
  }

  /** A node without old state returns the newest one. */
  private async tokensAt(
    reader: ActivityReader,
    tokens: readonly Address[],
    block: BlockRef,
    head: BlockRef,
  ): Promise<{ tokens: Map<Address, PricedToken>; priceBasis: WhalePriceBasis }> {
    try {
      return { tokens: await reader.readTokens(tokens, block), priceBasis: 'block' };
    } catch (error) {
      const isWithoutState = error instanceof ChainReadError && STATELESS.has(error.code);
      if (!isWithoutState || block.number >= head.number) throw error;
      return { tokens: await reader.readTokens(tokens, head), priceBasis: 'head' };
    }
  }
}

/** Errors of one row's contracts, not of the node. */
const OF_THE_ROW: ReadonlySet<string> = new Set(['call_failed', 'unknown_layout']);
const STATELESS: ReadonlySet<string> = new Set(['rpc_rejected', 'block_gone']);

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

function byLogOrder(a: MinedLog, b: MinedLog): number {
  return Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex);
}
