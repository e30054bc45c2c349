import { Injectable } from '@nestjs/common';
import type { BlockRef, RawPosition } from '@plimsoll/chain';
import { type Band, type PositionV1, Problem, type Unreadable } from '@plimsoll/contracts';
import type { Address } from 'viem';
import { ChainsService } from '../chains/chains.service';
import { bandOf } from '../tracking/band';
import type { ChainTracker } from '../tracking/chain-tracker';
import type { MarketTracker } from '../tracking/market-tracker';
import { PositionStore } from '../tracking/position-store';
import { orElseAfter } from './deadline';
import { ExactCache } from './exact-cache';
import { storedPosition } from './stored-position';

const EXACT_READ_DEADLINE_MS = 4_000;

/** A position at its block, with the band it has there. */
export interface Figure {
  position: RawPosition;
  band: Band;
}

/** What could be read of some wallets in one market. */
interface MarketRead {
  chainId: number;
  block: BlockRef | null;
  figures: Figure[];
  unreadable: Unreadable | null;
  /** Wallets of which something is known, a position or that there is none. */
  answered: number;
}

/** What could be read of some wallets. */
export interface FiguresRead {
  figures: Figure[];
  /** Newest block of each chain that the figures are from. */
  blocks: Map<number, Pick<BlockRef, 'number' | 'hash' | 'timestamp'>>;
  unreadable: Unreadable[];
}

/**
 * Figures for requests: of tracked wallets as of the last block handled, of others by an exact read at that same block.
 * What cannot be read comes from the stored rows, at their own block, and is named as unreadable.
 */
@Injectable()
export class FiguresReader {
  private readonly exact = new ExactCache();

  constructor(
    private readonly chains: ChainsService,
    private readonly store: PositionStore,
  ) {}

  /**
   * @param only restricts the read to one market of one chain
   * @throws upstream_unavailable when nothing at all is known of any wallet
   */
  async read(
    wallets: readonly Address[],
    only?: { chainId: number; protocol: string; market: string },
  ): Promise<FiguresRead> {
    const markets = this.chains
      .all()
      .flatMap((chain) =>
        chain.markets
          .filter(
            ({ reader: { row } }) =>
              !only ||
              (row.chainId === only.chainId && row.protocol === only.protocol && row.market === only.market),
          )
          .map((market) => ({ chain, market })),
      );
    const reads = await Promise.all(
      markets.map(({ chain, market }) => this.readMarket(chain, market, wallets)),
    );
    if (wallets.length > 0 && reads.every(({ answered }) => answered === 0)) {
      throw new Problem(
        'upstream_unavailable',
        'No chain can be read at the moment. Try again after the seconds in Retry-After.',
        { headers: { 'retry-after': '5' } },
      );
    }
    return {
      figures: reads.flatMap(({ figures }) => figures),
      blocks: newestBlocks(reads),
      unreadable: reads.flatMap(({ unreadable }) => unreadable ?? []),
    };
  }

  private async readMarket(
    chain: ChainTracker,
    market: MarketTracker,
    wallets: readonly Address[],
  ): Promise<MarketRead> {
    const { protocol, chainId } = market.reader.row;
    const { figures: kept } = market;
    const block = kept?.block ?? null;
    let reason = market.failure ?? chain.headFailure;
    const found = new Map<Address, RawPosition | null>();
    for (const wallet of wallets) {
      const position = kept?.positions.get(wallet);
      if (position !== undefined) found.set(wallet, position);
    }
    const others = wallets.filter((wallet) => !found.has(wallet));
    if (others.length > 0 && block && reason === null) {
      const work = this.exact.read(market.reader, others, block);
      const exact = await orElseAfter(EXACT_READ_DEADLINE_MS, work, null);
      for (const [wallet, position] of exact ?? []) if (position !== undefined) found.set(wallet, position);
      if (others.some((wallet) => !found.has(wallet))) reason = exact ? 'call_failed' : 'deadline_exceeded';
    }
    const figures = [...found].flatMap(([wallet, position]) =>
      position
        ? [
            {
              position,
              band: bandOf(position.healthFactorRaw, market.publishedOf(wallet)?.event.band ?? null),
            },
          ]
        : [],
    );
    const unknown = wallets.filter((wallet) => !found.has(wallet));
    const stored = unknown.length > 0 ? await this.storedStates(market, unknown) : [];
    const ofStored = stored
      .filter(({ closed }) => !closed)
      .map((event) => ({ position: storedPosition(event), band: event.band }));
    return {
      chainId,
      block,
      figures: [...figures, ...ofStored],
      unreadable:
        reason === null && unknown.length === 0
          ? null
          : { protocol, chainId, reason: reason ?? 'not_read_yet' },
      answered: found.size + stored.length,
    };
  }

  private async storedStates(
    { reader: { row } }: MarketTracker,
    wallets: readonly Address[],
  ): Promise<PositionV1[]> {
    const states = await this.store.load(row.chainId, wallets);
    return states
      .map(({ event }) => event)
      .filter(({ protocol, market }) => protocol === row.protocol && market === row.market);
  }
}

/** Where no block was read since the start: the oldest of the stored figures, so that nothing claims to be newer than it is. */
function newestBlocks(reads: readonly MarketRead[]): FiguresRead['blocks'] {
  const blocks: FiguresRead['blocks'] = new Map();
  for (const { chainId, block } of reads) {
    const newest = blocks.get(chainId);
    if (block && (!newest || newest.number < block.number)) blocks.set(chainId, block);
  }
  const ofStored = reads
    .filter(({ chainId }) => !blocks.has(chainId))
    .flatMap(({ figures }) => figures)
    .map(({ position }) => position)
    .sort((a, b) => Number(b.blockNumber - a.blockNumber));
  for (const { chainId, blockNumber: number, blockHash: hash, blockTimestamp: timestamp } of ofStored)
    blocks.set(chainId, { number, hash, timestamp });
  return blocks;
}
