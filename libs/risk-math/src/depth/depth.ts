import {
  LARGE_STABLE_SYMBOLS,
  LISTED_SYMBOLS,
  MEASURED_DEPTHS,
  STETH_SYMBOLS,
  type DepthClass,
  type DepthMeasurement,
} from './measured-depths';

/** Version of the model's form and figures. It increases when either changes. */
export const DEPTH_MODEL = 'constant-product-1';

/** An asset of the depth model: its price symbol in capitals, and the asset that its price follows. */
export interface DepthAsset {
  symbol: string;
  /** The price symbol that wrapped and staked tokens follow. */
  family: string;
  kind: 'stable' | 'staked' | 'wrapped' | 'volatile';
}

/**
 * The market in which a depth was measured: the asset itself, an asset of its class, or, for an unknown one,
 * a thinly traded token.
 */
export type DepthBasis = 'asset' | 'class' | 'default';

/** The depth of an asset's market. */
export interface Depth {
  class: DepthClass;
  basis: DepthBasis;
  /** The measurement behind it. */
  measurement: DepthMeasurement;
  /** R, USD: a constant-product pool with this amount on both sides loses as much as the market does. */
  reserveUsd: number;
}

/** The average loss a/(R + a) solved for R, or the price fall 1 − (R/(R + a))² solved for R. */
function reserveOf(measured: DepthMeasurement): number {
  if ('averageLoss' in measured)
    return (measured.soldUsd * (1 - measured.averageLoss)) / measured.averageLoss;
  return measured.soldUsd / (1 / Math.sqrt(1 - measured.priceFall) - 1);
}

/** A sale through one market after the other. Small losses add up: 1/R = 1/R₁ + 1/R₂. */
const inSeries = (first: number, second: number): number => 1 / (1 / first + 1 / second);

function reserveOfClass(name: DepthClass): number {
  const reserve = reserveOf(MEASURED_DEPTHS[name]);
  return name === 'steth' ? inSeries(reserve, reserveOf(MEASURED_DEPTHS.eth)) : reserve;
}

function classOf({ symbol, family, kind }: DepthAsset): [DepthClass, DepthBasis] {
  const traded = kind === 'wrapped' ? family : symbol;
  if (traded === 'BTC') return ['btc', 'asset'];
  if (traded === 'ETH') return ['eth', 'asset'];
  if (STETH_SYMBOLS.has(symbol)) return ['steth', 'asset'];
  if (LARGE_STABLE_SYMBOLS.has(symbol)) return ['large_stable', 'asset'];
  const isListed = kind === 'stable' || kind === 'staked' || LISTED_SYMBOLS.has(traded);
  return isListed ? ['listed', 'class'] : ['unknown', 'default'];
}

/**
 * The depth of an asset's market. An unmeasured asset has the depth of a thinly traded token, and `basis`
 * states that. Source and date of each figure: MEASURED_DEPTHS, docs/model.md.
 */
export function depthOf(asset: DepthAsset): Depth {
  const [name, basis] = classOf(asset);
  return { class: name, basis, measurement: MEASURED_DEPTHS[name], reserveUsd: reserveOfClass(name) };
}

/**
 * The average loss of a sale of this amount in USD at once, as a share of it: a/(R + a), 0 to below 1. Error:
 * a market differs from a constant product by a factor of about two within 10 %, and depth itself halves in a
 * crash. Source: Adams, Zinsmeister, Robinson, "Uniswap v2 Core" (2020), without the fee.
 * @throws RangeError for a negative amount
 */
export function priceImpact({ reserveUsd }: Depth, amountUsd: number): number {
  if (!(amountUsd >= 0)) throw new RangeError('amountUsd must not be negative.');
  return amountUsd / (reserveUsd + amountUsd);
}

/**
 * The amount in USD whose sale at once has this average loss: R·p/(1 − p), the inverse of priceImpact. Error: as there.
 * @param impact share of the amount, 0 to below 1
 * @throws RangeError for another impact
 */
export function saleAtImpact({ reserveUsd }: Depth, impact: number): number {
  if (!(impact >= 0 && impact < 1)) throw new RangeError('impact must be at least 0 and below 1.');
  return (reserveUsd * impact) / (1 - impact);
}

/**
 * The same in USD: a²/(R + a). It is convex, and its slope stays below 1: selling more never returns less.
 * @throws as priceImpact
 */
export function slippageUsd(depth: Depth, amountUsd: number): number {
  return amountUsd * priceImpact(depth, amountUsd);
}
