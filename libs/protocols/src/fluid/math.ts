import { WAD } from '../fixed-point/math';

/** Exchange prices of a vault: raw amounts times this, over it, are amounts with interest. */
const EXCHANGE_PRICE = 10n ** 12n;
/** Oracle prices: debt for one unit of collateral, both in their smallest units. */
const ORACLE_PRICE = 10n ** 27n;
const BPS = 10_000n;

/** A vault's position with interest, in the smallest units of its tokens (or shares of a DEX). */
export interface FluidHolding {
  supply: bigint;
  borrow: bigint;
}

/**
 * The raw amount that a position stores, from the amount that the resolver derives from it by rounding down.
 * Exact while the exchange price is not below 1e12, its initial value.
 */
export function fluidPrincipal(amount: bigint, exchangePrice: bigint): bigint {
  return (amount * EXCHANGE_PRICE + exchangePrice - 1n) / exchangePrice;
}

/**
 * Value of the collateral in units of the debt, and health factor (wad), both rounded down. Null without a
 * debt. A position can be liquidated when its debt is above its collateral at the liquidation price times the
 * threshold. Source: Instadapp/fluid-contracts-public, resolvers/vault and vaultT1 liquidate.
 */
export function fluidFigures(
  { supply, borrow }: FluidHolding,
  price: bigint,
  thresholdBps: bigint,
): { collateralValue: bigint; healthFactor: bigint | null } {
  const collateralValue = (supply * price) / ORACLE_PRICE;
  const healthFactor = borrow === 0n ? null : (collateralValue * thresholdBps * WAD) / (borrow * BPS);
  return { collateralValue, healthFactor };
}

/** Dollars (wad) for one whole unit of the debt, from those for one of the collateral and the oracle's price. */
export function fluidDebtUsd(
  collateralUsd: bigint,
  price: bigint,
  collateralDecimals: number,
  debtDecimals: number,
): bigint | null {
  if (price === 0n) return null;
  return (
    (collateralUsd * ORACLE_PRICE * 10n ** BigInt(debtDecimals)) / (price * 10n ** BigInt(collateralDecimals))
  );
}
