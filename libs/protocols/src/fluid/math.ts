import { WAD } from '../fixed-point/math';

/** Exchange prices of a vault: raw amounts times this, over it, are amounts with interest. */
const EXCHANGE_PRICE = 10n ** 12n;
/** Oracle prices: debt for one unit of collateral, both in their smallest units. */
const ORACLE_PRICE = 10n ** 27n;
/** The vaults cap the price between raw amounts. */
const MAX_RAW_PRICE = 10n ** 45n;
const RATIO_ONE = 1n << 96n;
const MAX_UINT256 = (1n << 256n) - 1n;
/** 1 / 1.0015^(2^i) of the bits of a tick, with 128 fractional bits, to the nearest. */
const TICK_FACTORS = Array.from({ length: 15 }, (_, bit) => {
  const [over, under] = [10_000n ** (1n << BigInt(bit)), 10_015n ** (1n << BigInt(bit))];
  return (2n * (over << 128n) + under) / (2n * under);
});

/** A vault's position with interest, in the smallest units of its tokens (or shares of a DEX). */
export interface FluidHolding {
  supply: bigint;
  /** The debt that the owner repays. */
  borrow: bigint;
  /** The part above it by which the vault rounds the debt up to its tick. */
  dust: bigint;
  /** The position of the debt in the vault: raw debt for raw collateral is 1.0015 to the power of this. */
  tick: bigint;
}

/** The values of a vault on which liquidations depend. */
export interface FluidTerms {
  price: bigint;
  thresholdBps: bigint;
  exchangePrices: { supply: bigint; borrow: bigint };
}

/**
 * The raw amount that a position stores, from the amount that the resolver derives from it by rounding down.
 * Exact while the exchange price is not below 1e12, its initial value.
 */
export function fluidPrincipal(amount: bigint, exchangePrice: bigint): bigint {
  return (amount * EXCHANGE_PRICE + exchangePrice - 1n) / exchangePrice;
}

/** Whether a vault can liquidate at an oracle's price. Source: fluid-contracts-public, vaultTypesCommon/coreModule/main.sol. */
export function isFluidPrice(price: bigint): boolean {
  return price > 0n && price <= 10n ** 54n;
}

/**
 * Value of the collateral in units of the debt, rounded down, the debt with its dust, and the health factor (wad, rounded
 * down; null without a debt). A vault liquidates whole ticks: those above the tick of the liquidation ratio. The health
 * factor is that ratio over the one of the position's tick, so it is below 1 exactly for these.
 * Source: fluid-contracts-public, vaultTypesCommon/coreModule/main.sol, liquidate; resolvers/vault/main.sol,
 * positionByNftId.
 */
export function fluidFigures(
  { supply, borrow, dust, tick }: FluidHolding,
  terms: FluidTerms,
): { collateralValue: bigint; totalDebt: bigint; healthFactor: bigint | null } {
  const totalDebt = borrow + dust;
  return {
    collateralValue: (supply * terms.price) / ORACLE_PRICE,
    totalDebt,
    healthFactor: totalDebt === 0n ? null : (fluidLiquidationRatio(terms) * WAD) / fluidTickRatio(tick),
  };
}

/** The ratio (2^96) of raw debt to raw collateral up to which a vault does not liquidate. */
export function fluidLiquidationRatio({ price, thresholdBps, exchangePrices }: FluidTerms): bigint {
  const raw = (price * exchangePrices.supply) / exchangePrices.borrow;
  const capped = raw > MAX_RAW_PRICE ? MAX_RAW_PRICE : raw;
  // A vault stores its threshold with three decimals.
  return (((capped * RATIO_ONE) / ORACLE_PRICE) * (thresholdBps / 10n)) / 1_000n;
}

/**
 * 1.0015 to the power of a tick, as the vaults compute it (2^96, rounded up above 1).
 * Source: fluid-contracts-public, libraries/tickMath.sol, getRatioAtTick.
 */
export function fluidTickRatio(tick: bigint): bigint {
  const size = tick < 0n ? -tick : tick;
  const inverse = TICK_FACTORS.reduce(
    (product, factor, bit) => ((size >> BigInt(bit)) & 1n ? (product * factor) >> 128n : product),
    1n << 128n,
  );
  if (tick < 0n) return inverse >> 32n;
  const ratio = MAX_UINT256 / inverse;
  return (ratio >> 32n) + (ratio % (1n << 32n) === 0n ? 0n : 1n);
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
