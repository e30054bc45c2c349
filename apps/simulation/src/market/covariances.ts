import { Injectable } from '@nestjs/common';
import type { CovarianceV1 } from '@plimsoll/contracts';
import { type PriceMarket, marketOver } from '@plimsoll/risk-math';
import { missingCovariance } from './missing-market';
import type { HistoryBasis } from './price-histories';

const DAY_MS = 86_400_000;

/** Volatilities and correlations of the requested assets. */
export interface MarketLaw extends HistoryBasis {
  market: PriceMarket;
}

/** The latest covariance.v1. */
@Injectable()
export class Covariances {
  private latest: CovarianceV1 | null = null;

  /** @param event null: the figures were withdrawn */
  apply(event: CovarianceV1 | null): void {
    if (event === null || event.version >= (this.latest?.version ?? 0)) this.latest = event;
  }

  /**
   * The joint distribution of prices over a horizon.
   * @param assets price symbols
   * @throws upstream_unavailable naming the assets that have no figures
   */
  of(assets: readonly string[], horizonDays: number): MarketLaw {
    const { latest } = this;
    const market = latest && marketOver(latest, assets, horizonDays);
    if (!market) throw missingCovariance(assets.filter((asset) => !latest?.assets.includes(asset)));
    const { historySource, windowDays, asOf } = latest;
    return {
      market,
      historySource: [historySource],
      historyWindow: {
        from: new Date(Date.parse(asOf) - windowDays * DAY_MS).toISOString().slice(0, 10),
        to: asOf,
        days: windowDays,
      },
    };
  }

  /** Like `of`, but null when `of` would throw, for figures that can omit it. */
  find(assets: readonly string[], horizonDays: number): PriceMarket | null {
    return this.latest && marketOver(this.latest, assets, horizonDays);
  }
}
