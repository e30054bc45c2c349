import { normalInverse, randomBits } from '@plimsoll/risk-math';
import { type DayBar, addDays } from './day-bar';

/** Parameters of a synthetic past of an asset. */
type LocalDynamics =
  | { kind: 'volatile'; annualVolatility: number; marketCorrelation: number }
  /** A staked or wrapped form: the price of the other, with a small discount that comes and goes. */
  | { kind: 'follower'; of: string; deviation: number }
  | { kind: 'stable'; deviation: number };

const ETHER_FORM: LocalDynamics = { kind: 'follower', of: 'ETH', deviation: 0.002 };
const BITCOIN_FORM: LocalDynamics = { kind: 'follower', of: 'BTC', deviation: 0.0008 };
const OTHERS: LocalDynamics = { kind: 'volatile', annualVolatility: 0.95, marketCorrelation: 0.75 };

const BY_SYMBOL: Readonly<Record<string, LocalDynamics>> = {
  BTC: { kind: 'volatile', annualVolatility: 0.5, marketCorrelation: 0.88 },
  ETH: { kind: 'volatile', annualVolatility: 0.68, marketCorrelation: 0.92 },
  LINK: { kind: 'volatile', annualVolatility: 0.85, marketCorrelation: 0.78 },
  STETH: ETHER_FORM,
  WSTETH: ETHER_FORM,
  RETH: ETHER_FORM,
  CBETH: ETHER_FORM,
  WEETH: ETHER_FORM,
  CBBTC: BITCOIN_FORM,
};

/** @param isStable whether the asset has a peg */
export function localDynamics(symbol: string, isStable: boolean): LocalDynamics {
  return isStable ? { kind: 'stable', deviation: 0.0008 } : (BY_SYMBOL[symbol] ?? OTHERS);
}

/** An asset of the local market with a synthetic past. */
export interface LocalAsset {
  symbol: string;
  dynamics: LocalDynamics;
  /** Price at the end of the past. */
  priceUsd: number;
}

const DAYS_PER_YEAR = 365;
/** Degrees of freedom of the returns: a kurtosis of 9 within the volatility of a day. */
const TAIL_DEGREES = 5;
/** The market's variance follows GARCH(1,1) around 1. */
const ALPHA = 0.08;
const BETA = 0.9;
/** Growth of the market over the complete past, as a logarithm. */
const GROWTH = 0.4;
/** Share of a discount or a lost peg that remains after a day. */
const REVERSION = 0.6;

/** Values that all assets share on a day. */
interface MarketDay {
  /** Move of the market, standard normal. */
  move: number;
  /**
   * Volatility relative to the mean, including the day's tail. It is the same for all assets, so that bad
   * days affect all.
   */
  scale: number;
}

type Normal = () => number;

/**
 * Returns daily bars up to `lastDay` for assets of a local market without a past: one market factor, returns
 * with fat tails and clustered volatility, highs and lows of a Brownian motion between open and close. The
 * last close is the asset's price, so the past joins the running market. Pure: the same seed returns the same
 * past.
 */
export function syntheticHistory(
  assets: readonly LocalAsset[],
  days: number,
  lastDay: string,
  seed: number,
): Map<string, DayBar[]> {
  const market = marketDays(days, normalOf(seed));
  const returns = new Map<string, number[]>();
  const bars = new Map<string, DayBar[]>();
  const leaders = assets.filter(({ dynamics }) => dynamics.kind !== 'follower');
  for (const asset of [...leaders, ...assets.filter((each) => !leaders.includes(each))]) {
    const normal = normalOf(seed ^ hashOf(asset.symbol));
    const { dynamics } = asset;
    const daily = dynamics.kind === 'volatile' ? volatileReturns(dynamics, market, normal) : null;
    const led = dynamics.kind === 'follower' ? (returns.get(dynamics.of) ?? null) : null;
    const moves = daily ?? withDeviation(led ?? market.map(() => 0), deviationOf(dynamics), normal);
    returns.set(asset.symbol, moves);
    const volatility = rootMeanSquare(moves);
    bars.set(
      asset.symbol,
      barsOf(asset.priceUsd, moves, (day) => volatility * (daily ? market[day]!.scale : 1), lastDay, normal),
    );
  }
  return bars;
}

function marketDays(days: number, normal: Normal): MarketDay[] {
  let variance = 1;
  return Array.from({ length: days }, () => {
    const squares = Array.from({ length: TAIL_DEGREES }, () => normal() ** 2).reduce((sum, x) => sum + x, 0);
    const tail = Math.sqrt((TAIL_DEGREES - 2) / squares);
    const move = normal();
    const scale = Math.sqrt(variance) * tail;
    variance = 1 - ALPHA - BETA + ALPHA * (move * scale) ** 2 + BETA * variance;
    return { move, scale };
  });
}

function volatileReturns(
  { annualVolatility, marketCorrelation }: LocalDynamics & { kind: 'volatile' },
  market: readonly MarketDay[],
  normal: Normal,
): number[] {
  const own = Math.sqrt(1 - marketCorrelation ** 2);
  const raw = market.map(
    ({ move, scale }) =>
      (annualVolatility / Math.sqrt(DAYS_PER_YEAR)) * scale * (marketCorrelation * move + own * normal()),
  );
  const surplus = (raw.reduce((sum, value) => sum + value, 0) - GROWTH) / raw.length;
  return raw.map((value) => value - surplus);
}

/** Returns the returns of a price that deviates from the followed one and reverts. */
function withDeviation(led: readonly number[], deviation: number, normal: Normal): number[] {
  let distance = 0;
  return led.map((value) => {
    const before = distance;
    distance = REVERSION * distance + deviation * normal();
    return value + distance - before;
  });
}

function deviationOf(dynamics: LocalDynamics): number {
  return dynamics.kind === 'volatile' ? 0 : dynamics.deviation;
}

function barsOf(
  lastClose: number,
  returns: readonly number[],
  volatilityOf: (day: number) => number,
  lastDay: string,
  normal: Normal,
): DayBar[] {
  const bars: DayBar[] = [];
  let close = lastClose;
  for (let day = returns.length - 1; day >= 0; day -= 1) {
    const change = returns[day]!;
    const open = close / Math.exp(change);
    const reach = (): number => Math.sqrt(change ** 2 + volatilityOf(day) ** 2 * exponential(normal));
    bars.push({
      day: addDays(lastDay, day - returns.length + 1),
      open: rounded(open),
      high: rounded(open * Math.exp((change + reach()) / 2)),
      low: rounded(open * Math.exp((change - reach()) / 2)),
      close: rounded(close),
    });
    close = open;
  }
  return bars.reverse();
}

/** Exponential with mean 2, as −2 ln U: the distribution of a Brownian bridge's maximum. */
function exponential(normal: Normal): number {
  return normal() ** 2 + normal() ** 2;
}

function normalOf(seed: number): Normal {
  const bits = randomBits(seed);
  return () => normalInverse((bits() + 0.5) / 2 ** 32);
}

function hashOf(text: string): number {
  return [...text].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, 7);
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length);
}

/** Ten digits exceed the precision of a price and need half the bytes. */
function rounded(priceUsd: number): number {
  return Number(priceUsd.toPrecision(10));
}
