import { Injectable } from '@nestjs/common';
import {
  type PositionV1,
  type ReadState,
  type RiskLevelFields,
  type Unreadable,
  decidingProbability,
  riskLevelOf,
  riskLevelOfEvent,
} from '@plimsoll/contracts';
import type { BlockRef, MarketRow } from '@plimsoll/evm';
import { type RawPosition, coversSubId, isReadable } from '@plimsoll/protocols';
import type { Address } from 'viem';
import { CorrelatedRisk } from '../bands/correlated-risk';
import { statusOf } from '../chain-state/chain-status';
import { ChainsService } from '../chains/chains.service';
import type { ChainTracker } from '../tracking/chain-tracker';
import type { MarketTracker } from '../tracking/market-tracker';
import { PositionStore } from '../tracking/position-store';
import { VerdictWatch } from '../verification/verdict-watch';
import { type Exact, ExactCache } from './exact-cache';
import { StoredStates, storedPosition } from './stored-position';

const EXACT_READ_DEADLINE_MS = 4_000;

/** A position at its block, with the level of its figures. */
export interface Figure {
  position: RawPosition;
  level: FigureLevel;
}

/** A level with the probability that decides it. Null if the health factor decides. */
export type FigureLevel = RiskLevelFields & { probability7d: number | null };

/** The readable positions of some wallets in one market. */
interface MarketRead {
  chainId: number;
  block: BlockRef | null;
  figures: Figure[];
  unreadable: Unreadable[];
  /** Whether the market or the chain failed, and not only single positions. */
  isFailed: boolean;
  /** Stored states of unreadable positions that were closed. */
  closed: PositionV1[];
  /** Whether all positions were read at the block. Only then does a missing one not exist. */
  isRead: boolean;
}

/** The state that the markets of one request share. */
interface ReadRequest {
  wallets: readonly Address[];
  isHeldOnly: boolean;
  states: StoredStates;
  /** By chain and block: the readers share one preparation, and continue together. */
  ready: Map<string, Promise<void>>;
}

/** The readable positions of some wallets. */
export interface FiguresRead extends ReadState {
  figures: Figure[];
  /** Newest block of each chain that the figures are from. */
  blocks: Map<number, Pick<BlockRef, 'number' | 'hash' | 'timestamp'>>;
  /** Stored states of unreadable positions that were closed. */
  closed: PositionV1[];
  /** Whether all positions were read in all markets. Only then does a missing one not exist. */
  isRead: boolean;
}

/**
 * Figures for requests: tracked wallets at the last processed block, others by an exact read at that same
 * block. Unreadable positions come from the stored rows, at their own block, and are listed as unreadable.
 */
@Injectable()
export class FiguresReader {
  private readonly exact: ExactCache;

  constructor(
    private readonly chains: ChainsService,
    private readonly store: PositionStore,
    private readonly correlatedRisk: CorrelatedRisk,
    verdicts: VerdictWatch,
  ) {
    this.exact = new ExactCache(verdicts.report);
  }

  /**
   * Never rejects because of a chain.
   * @param isWanted the markets to read; default all
   * @param isHeldOnly leaves out the positions that need an exact read, as if they were closed
   */
  async read(
    wallets: readonly Address[],
    isWanted: (row: MarketRow) => boolean = () => true,
    isHeldOnly = false,
  ): Promise<FiguresRead> {
    const markets = this.chains
      .all()
      .flatMap((chain) =>
        chain.markets.filter(({ reader: { row } }) => isWanted(row)).map((market) => ({ chain, market })),
      );
    const states = new StoredStates(this.store, wallets);
    const request: ReadRequest = { wallets, isHeldOnly, states, ready: new Map() };
    const reads = await Promise.all(
      markets.map(({ chain, market }) => this.readMarket(chain, market, request)),
    );
    // A market that is not listed yet may hold positions.
    const unlisted = this.chains
      .incompleteLists(Date.now())
      .filter(({ row }) => isWanted(row))
      .map(({ row: { protocol, chainId }, reason }) => ({
        protocol,
        chainId,
        reason: reason ?? 'not_read_yet',
      }));
    const unreadable = distinct([...reads.flatMap((read) => read.unreadable), ...unlisted]);
    return {
      figures: reads.flatMap(({ figures }) => figures),
      blocks: newestBlocks(reads),
      unreadable,
      chainStatus: statuses(
        markets.map(({ chain }) => chain),
        reads.filter(({ isFailed }) => isFailed).map(({ chainId }) => chainId),
      ),
      closed: reads.flatMap(({ closed }) => closed),
      isRead: unlisted.length === 0 && reads.every(({ isRead }) => isRead),
    };
  }

  private async readMarket(
    chain: ChainTracker,
    market: MarketTracker,
    request: ReadRequest,
  ): Promise<MarketRead> {
    const { wallets, isHeldOnly, states } = request;
    const { row } = market.reader;
    const { protocol, chainId } = row;
    const { figures: kept } = market;
    const block = kept?.block ?? null;
    let reason = market.failure ?? chain.headFailure;
    const found = new Map<Address, readonly RawPosition[]>();
    for (const wallet of wallets) {
      const held = kept?.of(wallet);
      if (held) found.set(wallet, held);
    }
    const others = wallets.filter((wallet) => !found.has(wallet));
    if (others.length > 0 && block && reason === null) {
      const exact = isHeldOnly
        ? others.map((wallet): [Address, Exact] => [wallet, { held: [] }])
        : await fallbackAfter(EXACT_READ_DEADLINE_MS, this.readExactly(market, others, block, request), null);
      if (exact === null) reason = 'deadline_exceeded';
      for (const [wallet, read] of exact ?? []) {
        if ('held' in read) found.set(wallet, read.held);
        else reason ??= read.reason;
      }
    }
    const held = [...found.values()].flat();
    const figures = held.filter(isReadable).map((position) => this.figureOf(position));
    const failed = held.filter((position) => !isReadable(position));
    const unknown = new Set<string>(wallets.filter((wallet) => !found.has(wallet)));
    const isUnknown = ({ wallet, subId }: PositionV1): boolean =>
      unknown.has(wallet) || failed.some((each) => each.wallet === wallet && coversSubId(each.subId, subId));
    const ofUnknown = unknown.size + failed.length > 0 ? (await states.in(row)).filter(isUnknown) : [];
    const ofStored = ofUnknown
      .filter(({ closed }) => !closed)
      .map((event) => ({ position: storedPosition(event), level: storedLevel(event) }));
    return {
      chainId,
      block,
      figures: [...figures, ...ofStored],
      unreadable: [
        ...(reason === null && unknown.size === 0 ? [] : [reason ?? 'not_read_yet']),
        ...failed.map(({ unreadable }) => unreadable ?? 'unpriced'),
      ].map((each) => ({ protocol, chainId, reason: each })),
      isFailed: reason !== null,
      closed: ofUnknown.filter(({ closed }) => closed),
      isRead: unknown.size === 0 && failed.length === 0,
    };
  }

  private async readExactly(
    { reader }: MarketTracker,
    others: readonly Address[],
    block: BlockRef,
    { wallets, ready }: ReadRequest,
  ): Promise<ReadonlyMap<Address, Exact>> {
    const { chainId } = reader.row;
    const key = `${chainId} ${block.hash}`;
    const preparing = ready.get(key) ?? this.chains.prepareReads(chainId, wallets, block);
    ready.set(key, preparing);
    await preparing;
    return this.exact.read(reader, others, block);
  }

  /** A position with its level. */
  figureOf(position: RawPosition): Figure {
    return { position, level: this.levelOf(position) };
  }

  private levelOf(position: RawPosition): FigureLevel {
    const { healthFactorRaw } = position;
    const probability7d = this.correlatedRisk.probability7d(position);
    return {
      ...riskLevelOf(healthFactorRaw, probability7d),
      probability7d: decidingProbability(healthFactorRaw, probability7d),
    };
  }
}

function storedLevel(event: PositionV1): FigureLevel {
  return { ...riskLevelOfEvent(event), probability7d: event.probability7d ?? null };
}

/** A protocol of which several instances fail in the same way is listed once. */
function distinct(unreadable: readonly Unreadable[]): Unreadable[] {
  const byText = new Map(unreadable.map((each) => [`${each.protocol} ${each.chainId} ${each.reason}`, each]));
  return [...byText.values()];
}

/**
 * If no block was read since the start, the oldest of the stored figures, so that none claims to be newer
 * than it is.
 */
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

/** A chain that failed in this request is not operational, however recent its last head is. */
function statuses(chains: readonly ChainTracker[], failed: readonly number[]): ReadState['chainStatus'] {
  const nowMs = Date.now();
  const failing = new Set(failed);
  return Object.fromEntries(
    chains.map((chain) => [chain.chainId, statusOf(chain, nowMs, failing.has(chain.chainId))]),
  );
}

/** The work's result, or `fallback` when it is not ready within `ms`. The work itself continues. */
async function fallbackAfter<T, F>(ms: number, work: Promise<T>, fallback: F): Promise<T | F> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<F>((resolve) => {
    timer = setTimeout(() => resolve(fallback), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
