import {
  ewmaCovariance,
  filterHistory,
  GARCH_ALPHA,
  GARCH_BETA,
  HISTORY_DAYS,
  historicalDrift,
  horizonCovariance,
  longRunCovariance,
  seedOf,
  simulateDailySteps,
  simulateGbm,
  touchedWithin,
  walkHistorical,
  type FilteredHistory,
  type PriceMarket,
  type RiskPosition,
} from '@plimsoll/risk-math';
import type { PriceHistory } from './price-history';

export const HEALTH_FACTORS = [1.05, 1.1, 1.2, 1.3, 1.5, 1.75, 2] as const;
export const HORIZONS_DAYS = [7, 30] as const;
/** fhs-drift: fhs with the trend of the past year, for comparison. */
export const MODELS = ['fhs', 'fhs-drift', 'gbm', 'daily-step'] as const;
export type Model = (typeof MODELS)[number];

/** 1970-01-05, the first Monday in days since 1970. */
const FIRST_MONDAY = 4;
const WEEK_DAYS = 7;
/** The history that an asset needs before its first forecast. */
const MIN_HISTORY_DAYS = 60;
const PATHS = 1_000;
const STABLE = 'USD';

/** The forecasts of each model before a start, and the outcome. */
export interface Forecast {
  asset: string;
  /** Days since 1970-01-01: the forecast is made at the close of this day. */
  day: number;
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

interface Known {
  filtered: FilteredHistory;
  trending: FilteredHistory;
  returns: Float64Array;
}

/** The data that is known at the close of day `at`, and nothing after it. */
function knownAt(history: PriceHistory, at: number): Known {
  const first = Math.max(0, at - HISTORY_DAYS);
  const [close, low, high] = [history.close, history.low, history.high].map((row) =>
    row.slice(first, at + 1),
  );
  const still = close!.map(() => 1);
  const past = {
    assets: [history.asset, STABLE],
    close: [close!, still],
    low: [low!, still],
    high: [high!, still],
  };
  const returns = Float64Array.from({ length: close!.length - 1 }, (_, i) =>
    Math.log(close![i + 1]! / close![i]!),
  );
  return {
    filtered: filterHistory(past),
    trending: filterHistory(past, { annualDrift: historicalDrift(past) }),
    returns,
  };
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

/** The forecasts of one start, and their outcomes. */
function forecastsAt(history: PriceHistory, at: number): Forecast[] {
  const { filtered, trending, returns } = knownAt(history, at);
  const day = history.firstDay + at;
  const seed = seedOf(`${history.asset} ${day}`);
  const longest = { horizonDays: Math.max(...HORIZONS_DAYS), paths: PATHS, seed };
  return HEALTH_FACTORS.flatMap((healthFactor) => {
    const position = positionAt(history.asset, healthFactor);
    const walk = walkHistorical(position, filtered, longest);
    const trendingWalk = walkHistorical(position, trending, longest);
    return HORIZONS_DAYS.map((horizonDays): Forecast => {
      const market = marketAt(history.asset, returns, horizonDays);
      const options = { horizonDays, paths: PATHS, seed };
      const lowest = Math.min(...history.low.slice(at + 1, at + 1 + horizonDays)) / history.close[at]!;
      return {
        asset: history.asset,
        day,
        horizonDays,
        healthFactor,
        predicted: {
          fhs: touchedWithin(walk, horizonDays) / PATHS,
          'fhs-drift': touchedWithin(trendingWalk, horizonDays) / PATHS,
          gbm: simulateGbm(position, market, options).liquidationProbability,
          'daily-step': simulateDailySteps(position, market, options).probability,
        },
        observed: lowest * healthFactor < 1 ? 1 : 0,
      };
    });
  });
}

/** Whether a forecast may be made at this index: 60 days behind it and the longest horizon ahead. */
export const isStart = (history: PriceHistory, at: number, shiftDays: number): boolean =>
  (history.firstDay + at - FIRST_MONDAY) % WEEK_DAYS === shiftDays &&
  at >= MIN_HISTORY_DAYS &&
  at + Math.max(...HORIZONS_DAYS) < history.close.length;

/**
 * All forecasts over an asset's history that start between two days: every Monday (plus `shiftDays`), with 60
 * days behind it and the longest horizon ahead. Parameters come only from the days before the start.
 */
export function forecastsOf(
  history: PriceHistory,
  { from, to }: { from: number; to: number },
  shiftDays: number,
): Forecast[] {
  return history.close.flatMap((_, at) => {
    const day = history.firstDay + at;
    return day >= from && day <= to && isStart(history, at, shiftDays) ? forecastsAt(history, at) : [];
  });
}
