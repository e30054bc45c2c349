import { Injectable } from '@nestjs/common';
import type { ChainV1, PriceV1 } from '@plimsoll/contracts';
import { STABLE_COINS } from '../assets/asset-table';
import { ExposureRepository } from '../exposure/exposure.repository';
import { addDays, dayOf, daysBetween } from '../history/day-bar';
import { HistoryRepository } from '../history/history.repository';
import { STALE_HEARTBEATS } from '../prices/combine-quotes';
import { PriceBook } from '../prices/price-book';
import type { IndexInputs } from './index-components';
import { RiskRepository, hourOf } from './risk.repository';
import { type DayRange, basketVariance, currentVolatility } from './volatility';

const BASKET = ['BTC', 'ETH'];
/** Older days have a weight below 1e-9. */
const VOLATILITY_DAYS = 120;

/** Reads the inputs of the index. */
@Injectable()
export class IndexInputsReader {
  constructor(
    private readonly book: PriceBook,
    private readonly histories: HistoryRepository,
    private readonly exposure: ExposureRepository,
    private readonly risk: RiskRepository,
  ) {}

  /** Returns null while the volatility is unknown, because the index needs it. */
  async read(states: readonly ChainV1[], nowMs: number): Promise<IndexInputs | null> {
    const volatility = await this.volatility(nowMs);
    if (volatility === null) return null;
    const [{ debtUsd, endangeredUsd }, debts, tvlFall] = await Promise.all([
      this.exposure.totals(),
      this.exposure.debts(),
      this.risk.tvlFall(hourOf(nowMs)),
    ]);
    const old = debts.filter(({ chainId, asset }) => isFeedOld(this.book.get(asset)?.event, chainId, nowMs));
    return {
      volatility,
      trackedDebtUsd: debtUsd,
      endangeredDebtUsd: endangeredUsd,
      oldFeedDebtUsd: old.reduce((sum, { usd }) => sum + usd, 0),
      utilisation: utilisationOf(states),
      pegDeviation: this.pegDeviation(),
      tvlFall,
    };
  }

  private async volatility(nowMs: number): Promise<number | null> {
    const today = dayOf(nowMs);
    const days = daysBetween(addDays(today, -VOLATILITY_DAYS), addDays(today, -1));
    const ranges = await Promise.all(
      BASKET.map(async (asset) => {
        const bars = await this.histories.bars(asset, days[0]!);
        return new Map<string, DayRange>(bars.map((bar) => [bar.day, bar]));
      }),
    );
    const variances = days.map((day) => basketVariance(ranges.map((byDay) => byDay.get(day) ?? null)));
    return currentVolatility(variances, basketVariance(await this.risk.todaysRanges(BASKET, today)));
  }

  private pegDeviation(): number {
    const deviations = STABLE_COINS.flatMap(({ symbol }) => {
      const price = this.book.get(symbol)?.event;
      return price && !price.isStale ? [Math.abs(price.pegDeviationPercent ?? 0) / 100] : [];
    });
    return Math.max(0, ...deviations);
  }
}

/** Returns whether the asset's feed on the chain is older than 1.5 heartbeats, and false without a feed. */
function isFeedOld(price: PriceV1 | undefined, chainId: number, nowMs: number): boolean {
  const feed = price?.sources.find((source) => source.chainId === chainId);
  if (!feed?.observedAt) return false;
  return nowMs - Date.parse(feed.observedAt) > STALE_HEARTBEATS * feed.heartbeatMs;
}

/** Returns the utilisation of all markets, weighted by their borrowed value. */
function utilisationOf(states: readonly ChainV1[]): number {
  const totals = states.flatMap(({ markets }) => markets.flatMap((market) => market.totals ?? []));
  const borrowed = totals.reduce((sum, { borrowedUsd }) => sum + borrowedUsd, 0);
  const weighted = totals.reduce((sum, { borrowedUsd, utilisation }) => sum + borrowedUsd * utilisation, 0);
  return borrowed > 0 ? weighted / borrowed : 0;
}
