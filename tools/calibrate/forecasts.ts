import {
  ewmaCovariance,
  filterHistory,
  GARCH_ALPHA,
  GARCH_BETA,
  HISTORY_DAYS,
  horizonCovariance,
  longRunCovariance,
  seedOf,
  simulateDailySteps,
  simulateGbm,
  simulateHistorical,
  type FilteredHistory,
  type PriceMarket,
  type RiskPosition,
} from '@plimsoll/risk-math';
import type { PriceHistory } from './price-history';

export const HEALTH_FACTORS = [1.05, 1.1, 1.2, 1.3, 1.5, 1.75, 2] as const;
export const HORIZONS_DAYS = [7, 30] as const;
export const MODELS = ['fhs', 'gbm', 'daily-step'] as const;
export type Model = (typeof MODELS)[number];

/** The first day on which a forecast may be made: 2018-01-01, a Monday. */
const FIRST_START_DAY = 17_532;
const WEEK_DAYS = 7;
/** What an asset needs behind it before its first forecast. */
const MIN_HISTORY_DAYS = 60;
const PATHS = 1_000;
const STABLE = 'USD';

/** What each model said before a start, and what came. */
export interface Forecast {
  horizonDays: number;
  healthFactor: number;
  predicted: Record<Model, number>;
  /** 1 when a daily low crossed the barrier within the horizon. */
  observed: 0 | 1;
}

function positionAt(asset: string, healthFactor: number): RiskPosition {
  return {
    collateral: [{ asset, amount: healthFactor, priceUsd: 1, liquidationThreshold: 1, liquidationBonus: 0 }],
    debt: [{ asset: STABLE, amount: 1, priceUsd: 1 }],
  };
}

/** Everything that is known at the close of day `at`, and nothing after it. */
function knownAt(history: PriceHistory, at: number): { filtered: FilteredHistory; returns: Float64Array } {
  const first = Math.max(0, at - HISTORY_DAYS);
  const [close, low, high] = [history.close, history.low, history.high].map((row) =>
    row.slice(first, at + 1),
  );
  const still = close!.map(() => 1);
  const filtered = filterHistory({
    assets: [history.asset, STABLE],
    close: [close!, still],
    low: [low!, still],
    high: [high!, still],
  });
  const returns = Float64Array.from({ length: close!.length - 1 }, (_, i) =>
    Math.log(close![i + 1]! / close![i]!),
  );
  return { filtered, returns };
}

function marketAt(asset: string, returns: Float64Array, horizonDays: number): PriceMarket {
  const [[variance = 0] = []] = horizonCovariance(
    ewmaCovariance([returns]),
    longRunCovariance([returns]),
    horizonDays,
    GARCH_ALPHA + GARCH_BETA,
  );
  return {
    assets: [asset, STABLE],
    dailyCovariance: [
      [variance, 0],
      [0, 0],
    ],
  };
}

/** The forecasts of one start, and what the days after it brought. */
function forecastsAt(history: PriceHistory, at: number): Forecast[] {
  const { filtered, returns } = knownAt(history, at);
  const seed = seedOf(`${history.asset} ${history.firstDay + at}`);
  return HORIZONS_DAYS.flatMap((horizonDays) => {
    const market = marketAt(history.asset, returns, horizonDays);
    const lowest = Math.min(...history.low.slice(at + 1, at + 1 + horizonDays)) / history.close[at]!;
    const options = { horizonDays, paths: PATHS, seed };
    return HEALTH_FACTORS.map((healthFactor): Forecast => {
      const position = positionAt(history.asset, healthFactor);
      return {
        horizonDays,
        healthFactor,
        predicted: {
          fhs: simulateHistorical(position, filtered, options).liquidationProbability,
          gbm: simulateGbm(position, market, options).liquidationProbability,
          'daily-step': simulateDailySteps(position, market, options).probability,
        },
        observed: lowest * healthFactor < 1 ? 1 : 0,
      };
    });
  });
}

/**
 * All forecasts over an asset's history: every seventh day from 2018-01-01 (plus `shiftDays`), with 60 days behind it and
 * the longest horizon ahead. Parameters come from the days before the start alone.
 */
export function forecastsOf(history: PriceHistory, shiftDays: number): Forecast[] {
  const starts = history.close
    .map((_, at) => at)
    .filter((at) => {
      const day = history.firstDay + at;
      const isWeekly = day >= FIRST_START_DAY && (day - FIRST_START_DAY) % WEEK_DAYS === shiftDays;
      return isWeekly && at >= MIN_HISTORY_DAYS && at + Math.max(...HORIZONS_DAYS) < history.close.length;
    });
  return starts.flatMap((at) => forecastsAt(history, at));
}
