import { type Drift, type ForecastAnswer, isStableAsset } from '@plimsoll/contracts';
import { type DailyHistory, type PriceMarket, DAYS_PER_YEAR, historicalDrift } from '@plimsoll/risk-math';

/** The trend of a simulation as its response states it: growth of the log price a year, by price symbol. */
export type DriftBasis = ForecastAnswer['drift'];

/** @param historyOf called only for the trend of the past */
export function driftOver(
  assets: readonly string[],
  drift: Drift,
  historyOf: () => DailyHistory,
): DriftBasis {
  if (drift === 'historical') {
    const past = historicalDrift(historyOf());
    return {
      method: 'historical',
      annualised: Object.fromEntries(assets.map((asset, i) => [asset, past[i]!])),
    };
  }
  const given = drift === 'none' ? 0 : drift;
  return {
    method: drift === 'none' ? 'none' : 'given',
    annualised: Object.fromEntries(assets.map((asset) => [asset, isStableAsset(asset) ? 0 : given])),
  };
}

/** The market with this growth of the log prices: the simple growth of a log-normal price is larger by half its variance. */
export function withDrift(market: PriceMarket, { annualised }: DriftBasis): PriceMarket {
  return {
    ...market,
    dailyDrift: market.assets.map(
      (asset, i) => (annualised[asset] ?? 0) / DAYS_PER_YEAR + market.dailyCovariance[i]![i]! / 2,
    ),
  };
}
