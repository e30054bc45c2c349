import { WAD } from '../fixed-point/math';

/**
 * Source of all functions: `@morpho-org/morpho-blue` 1.0.0, Morpho.sol, libraries/SharesMathLib.sol and
 * MathLib.sol.
 */
const VIRTUAL_SHARES = 10n ** 6n;
const VIRTUAL_ASSETS = 1n;
const ORACLE_PRICE_SCALE = 10n ** 36n;

/**
 * A market as Morpho stores it: assets in units of the loan token, `lastUpdate` in unix seconds, `fee` in
 * wad.
 */
export interface MorphoMarketState {
  totalSupplyAssets: bigint;
  totalSupplyShares: bigint;
  totalBorrowAssets: bigint;
  totalBorrowShares: bigint;
  lastUpdate: bigint;
  fee: bigint;
}

/** A wallet in one market as Morpho stores it. */
export interface MorphoHolding {
  supplyShares: bigint;
  borrowShares: bigint;
  /** Units of the collateral token. */
  collateral: bigint;
}

/** Figures of a holding, in units of the loan token. */
export interface MorphoFigures {
  /** The assets for which its supply can be withdrawn. The supply does not secure the debt. */
  supplyAssets: bigint;
  borrowAssets: bigint;
  collateralValue: bigint;
  /** Debt above which it may be liquidated. */
  maxBorrow: bigint;
  /** maxBorrow / debt in wad, rounded down. Null without debt. */
  healthFactor: bigint | null;
}

const mulDivUp = (x: bigint, y: bigint, d: bigint): bigint => (x * y + (d - 1n)) / d;

/**
 * Interest (wad) of a rate a second (wad) over the seconds: the first three terms of e^x − 1, each rounded
 * down.
 */
export function taylorCompounded(rate: bigint, seconds: bigint): bigint {
  const first = rate * seconds;
  const second = (first * first) / (2n * WAD);
  const third = (second * first) / (3n * WAD);
  return first + second + third;
}

/**
 * The market with its interest up to `timestamp` (unix seconds, not before lastUpdate), as after
 * accrueInterest.
 * @param borrowRate of its rate model, wad a second; null: a market without a rate model bears no interest
 */
export function accrueMorphoMarket(
  market: MorphoMarketState,
  borrowRate: bigint | null,
  timestamp: bigint,
): MorphoMarketState {
  const elapsed = timestamp - market.lastUpdate;
  if (elapsed === 0n) return market;
  if (borrowRate === null) return { ...market, lastUpdate: timestamp };
  const interest = (market.totalBorrowAssets * taylorCompounded(borrowRate, elapsed)) / WAD;
  const totalSupplyAssets = market.totalSupplyAssets + interest;
  const feeAmount = (interest * market.fee) / WAD;
  const feeShares =
    (feeAmount * (market.totalSupplyShares + VIRTUAL_SHARES)) /
    (totalSupplyAssets - feeAmount + VIRTUAL_ASSETS);
  return {
    ...market,
    totalBorrowAssets: market.totalBorrowAssets + interest,
    totalSupplyAssets,
    totalSupplyShares: market.totalSupplyShares + feeShares,
    lastUpdate: timestamp,
  };
}

/**
 * Figures of a holding in a market whose interest is accrued.
 * @param price of the collateral by the market's oracle: loan units for one collateral unit, times 1e36
 * @param lltv wad
 */
export function morphoFigures(
  market: MorphoMarketState,
  { supplyShares, borrowShares, collateral }: MorphoHolding,
  price: bigint,
  lltv: bigint,
): MorphoFigures {
  const supplyAssets =
    (supplyShares * (market.totalSupplyAssets + VIRTUAL_ASSETS)) /
    (market.totalSupplyShares + VIRTUAL_SHARES);
  const borrowAssets = mulDivUp(
    borrowShares,
    market.totalBorrowAssets + VIRTUAL_ASSETS,
    market.totalBorrowShares + VIRTUAL_SHARES,
  );
  const collateralValue = (collateral * price) / ORACLE_PRICE_SCALE;
  const maxBorrow = (collateralValue * lltv) / WAD;
  const healthFactor = borrowAssets === 0n ? null : (maxBorrow * WAD) / borrowAssets;
  return { supplyAssets, borrowAssets, collateralValue, maxBorrow, healthFactor };
}
