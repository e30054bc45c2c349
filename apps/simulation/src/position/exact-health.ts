import { type PositionAsset, priceSymbol } from '@plimsoll/contracts';
import { RAY, aaveV3AccountTotals } from '@plimsoll/protocol-math';
import type { HeldPosition } from '@plimsoll/risk-position';

/** Relative price after a shock by price symbol; an asset that is not in it stands still. */
export type PriceFactors = ReadonlyMap<string, number>;

/** Factors are taken to twelve decimals. */
const SCALE = 10n ** 12n;

/** The oracle's integer after the shock, rounded to the nearest. */
export function shockedPriceRaw({ asset, priceRaw }: PositionAsset, factors: PriceFactors): bigint {
  const factor = factors.get(priceSymbol(asset)) ?? 1;
  const product = BigInt(priceRaw) * BigInt(Math.round(factor * Number(SCALE)));
  return (product + SCALE / 2n) / SCALE;
}

/**
 * The health factor (wad) that the contract would have at the shocked prices, in its own integer arithmetic; null where that
 * is not known. Aave's arithmetic is taken where it gives today's health factor to the last digit.
 */
export function exactHealthFactor(position: HeldPosition, factors: PriceFactors): bigint | null {
  const { healthFactorRaw } = position;
  if (healthFactorRaw === null) return null;
  const today = aaveHealthFactor(position, new Map());
  return today === BigInt(healthFactorRaw) ? aaveHealthFactor(position, factors) : null;
}

function aaveHealthFactor(
  { collateralAssets, debtAssets }: HeldPosition,
  factors: PriceFactors,
): bigint | null {
  const holding = (leg: PositionAsset) => ({
    scaledSupply: 0n,
    scaledVariableDebt: 0n,
    stableDebt: 0n,
    usedAsCollateral: false,
    borrowing: false,
    // Amounts of an answer hold their interest already.
    normalizedIncome: RAY,
    normalizedDebt: RAY,
    price: shockedPriceRaw(leg, factors),
    unit: 10n ** BigInt(leg.decimals),
    liquidationThresholdBps: BigInt(leg.liquidationThresholdBps ?? 0),
    eModeThresholdBps: null,
  });
  const { healthFactor } = aaveV3AccountTotals([
    ...collateralAssets.map((leg) => ({
      ...holding(leg),
      scaledSupply: BigInt(leg.amountRaw),
      usedAsCollateral: leg.usedAsCollateral === true,
    })),
    ...debtAssets.map((leg) => ({ ...holding(leg), stableDebt: BigInt(leg.amountRaw), borrowing: true })),
  ]);
  return healthFactor;
}
