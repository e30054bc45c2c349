import type { ChainMarketV1, ChainV1 } from '@plimsoll/contracts';
import type { BlockRef } from '@plimsoll/evm';
import type { MarketTotals } from '@plimsoll/protocols';
import type { ChainTracker } from '../tracking/chain-tracker';
import type { MarketTracker } from '../tracking/market-tracker';
import { statusOf } from './chain-status';

/** Totals change slowly, and their read is as large as a block's. */
const TOTALS_EVERY_MS = 30_000;

/** The published state of one chain, beside its positions. */
export class ChainState {
  private readonly totals = new Map<MarketTracker, MarketTotals>();
  private totalsAtMs = 0;
  private seenAt = { hash: '', ms: 0 };
  private published: { key: string; atMs: number } | undefined;

  constructor(
    readonly tracker: ChainTracker,
    private readonly heartbeatMs: number,
  ) {}

  /**
   * The event that is due now: at a change, and at every heartbeat. Null when there is nothing to publish.
   */
  next(nowMs: number): ChainV1 | null {
    this.startTotals(nowMs);
    const event = this.event(nowMs);
    const key = JSON.stringify([event.status, event.markets.map(({ failure, totals }) => [failure, totals])]);
    if (this.published?.key === key && nowMs - this.published.atMs < 0.8 * this.heartbeatMs) return null;
    this.published = { key, atMs: nowMs };
    return event;
  }

  private event(nowMs: number): ChainV1 {
    const { tracker } = this;
    const head = tracker.latest;
    const eventLatency = tracker.eventLatency.of(nowMs);
    if (head && this.seenAt.hash !== head.hash) this.seenAt = { hash: head.hash, ms: nowMs };
    return {
      chainId: tracker.chainId,
      status: statusOf(tracker, nowMs),
      head: head
        ? {
            number: Number(head.number),
            hash: head.hash,
            time: timeOf(head),
            seenAt: new Date(this.seenAt.ms).toISOString(),
          }
        : null,
      lagBlocks: lagOf(tracker),
      avgBlockTime: tracker.blockTimes.averageSeconds,
      markets: tracker.markets.map((market) => this.marketOf(market)),
      ...(eventLatency && { eventLatency }),
      updatedAt: new Date(nowMs).toISOString(),
      heartbeatMs: this.heartbeatMs,
    };
  }

  private marketOf(market: MarketTracker): ChainMarketV1 {
    const totals = this.totals.get(market);
    const { protocol, market: name } = market.reader.row;
    const block = market.figures?.block;
    return {
      protocol,
      market: name,
      failure: market.failure,
      totals: totals ? { ...totals, block: Number(totals.block) } : null,
      lastRead: block ? { number: Number(block.number), time: timeOf(block) } : null,
    };
  }

  /**
   * Totals are published once they are read, so a slow node does not delay the report that it is slow. A
   * market that cannot be read keeps its last totals, and the tracker reports its failure.
   */
  private startTotals(nowMs: number): void {
    const block = this.tracker.latest;
    if (!block || nowMs - this.totalsAtMs < TOTALS_EVERY_MS) return;
    this.totalsAtMs = nowMs;
    for (const market of this.tracker.markets) {
      market.reader.readTotals(block).then(
        (totals) => totals && this.totals.set(market, totals),
        () => undefined,
      );
    }
  }
}

const timeOf = ({ timestamp }: BlockRef): string => new Date(Number(timestamp) * 1_000).toISOString();

/** Blocks between the head and the slowest market. */
function lagOf({ latest, markets }: ChainTracker): number | null {
  const handled = markets.flatMap(({ figures }) => (figures ? [figures.block.number] : []));
  if (!latest || handled.length === 0) return null;
  const behind = handled.reduce((lowest, block) => (block < lowest ? block : lowest));
  return Math.max(0, Number(latest.number - behind));
}
