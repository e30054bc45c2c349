import { type PositionAsset, priceSymbol } from '@plimsoll/contracts';
import { AAVE_V3_0, AAVE_V3_6, type AaveV3Arithmetic, RAY } from '@plimsoll/protocols/math';
import type { HeldPosition } from '@plimsoll/risk-position';

/** Relative price after a shock by price symbol. An asset that is not in it keeps its price. */
export type PriceFactors = ReadonlyMap<string, number>;

/** Factors are rounded to twelve decimals. */
const SCALE = 10n ** 12n;

/** The oracle's integer after the shock, rounded to the nearest. */
export function shockedPriceRaw({ asset, priceRaw }: PositionAsset, factors: PriceFactors): bigint {
  const factor = factors.get(priceSymbol(asset)) ?? 1;
  const product = BigInt(priceRaw) * BigInt(Math.round(factor * Number(SCALE)));
  return (product + SCALE / 2n) / SCALE;
}

const AAVE: readonly AaveV3Arithmetic[] = [AAVE_V3_0, AAVE_V3_6];

/**
 * The contract's health factor (wad) at the shocked prices, in its own integer arithmetic. Null if that is
 * unknown. Aave's arithmetic is used if it gives today's health factor to the last digit.
 */
export function exactHealthFactor(position: HeldPosition, factors: PriceFactors): bigint | null {
  const arithmetic = arithmeticOf(position);
  return arithmetic === null ? null : healthFactorBy(arithmetic, position, factors);
}

/**
 * The contract's health factor (wad) with other thresholds. Null if its arithmetic is unknown.
 * @param today the current position, whose health factor identifies the arithmetic
 */
export function exactHealthFactorOf(today: HeldPosition, moved: HeldPosition): bigint | null {
  const arithmetic = arithmeticOf(today);
  return arithmetic === null ? null : healthFactorBy(arithmetic, moved, new Map());
}

function arithmeticOf(position: HeldPosition): AaveV3Arithmetic | null {
  const { healthFactorRaw } = position;
  if (healthFactorRaw === null) return null;
  const today = BigInt(healthFactorRaw);
  return AAVE.find((each) => healthFactorBy(each, position, new Map()) === today) ?? null;
}

function healthFactorBy(
  arithmetic: AaveV3Arithmetic,
  { collateralAssets, debtAssets }: HeldPosition,
  factors: PriceFactors,
): bigint | null {
  const holding = (leg: PositionAsset) => ({
    scaledSupply: 0n,
    scaledVariableDebt: 0n,
    stableDebt: 0n,
    usedAsCollateral: false,
    borrowing: false,
    // Amounts in a response already include interest.
    normalizedIncome: RAY,
    normalizedDebt: RAY,
    price: shockedPriceRaw(leg, factors),
    unit: 10n ** BigInt(leg.decimals),
    liquidationThresholdBps: BigInt(leg.liquidationThresholdBps ?? 0),
    eModeThresholdBps: null,
  });
  const { healthFactor } = arithmetic.accountTotals([
    ...collateralAssets.map((leg) => ({
      ...holding(leg),
      scaledSupply: BigInt(leg.amountRaw),
      usedAsCollateral: leg.usedAsCollateral === true,
    })),
    ...debtAssets.map((leg) => ({
      ...holding(leg),
      scaledVariableDebt: BigInt(leg.amountRaw),
      borrowing: true,
    })),
  ]);
  return healthFactor;
}
