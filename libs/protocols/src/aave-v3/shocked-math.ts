import { RAY } from '../fixed-point/math';
import { AAVE_V3_0, AAVE_V3_6, type AaveV3Arithmetic } from './math';

/** An asset of a position as a response of the API has it: its amount includes interest. */
export interface HeldAsset {
  asset: string;
  amountRaw: string | bigint;
  priceRaw: string | bigint;
  decimals: number;
  liquidationThresholdBps?: number | undefined;
  usedAsCollateral?: boolean | undefined;
}

/** The parts of a position that decide its health factor. */
export interface HeldAssets {
  collateralAssets: readonly HeldAsset[];
  debtAssets: readonly HeldAsset[];
  healthFactorRaw: string | bigint | null;
}

/** The price of an asset beside its present one: 0.8 after a fall of 20 %. */
export type PriceFactorOf = (asset: string) => number;

/** Factors are rounded to twelve decimals. */
const SCALE = 10n ** 12n;
const ARITHMETICS: readonly AaveV3Arithmetic[] = [AAVE_V3_0, AAVE_V3_6];

/** The oracle's integer after a shock, rounded to the nearest. */
export function shockedPrice(priceRaw: string | bigint, factor: number): bigint {
  const product = BigInt(priceRaw) * BigInt(Math.round(factor * Number(SCALE)));
  return (product + SCALE / 2n) / SCALE;
}

/** The arithmetic of Aave v3 that gives the present health factor to the last digit. Null if none does. */
export function arithmeticOfHeld(position: HeldAssets): AaveV3Arithmetic | null {
  const { healthFactorRaw } = position;
  if (healthFactorRaw === null) return null;
  const today = BigInt(healthFactorRaw);
  return ARITHMETICS.find((each) => shockedHealthFactor(each, position, () => 1) === today) ?? null;
}

/** The health factor (wad) at shocked prices, as the contract computes it. Null without debt. */
export function shockedHealthFactor(
  arithmetic: AaveV3Arithmetic,
  { collateralAssets, debtAssets }: Omit<HeldAssets, 'healthFactorRaw'>,
  factorOf: PriceFactorOf,
): bigint | null {
  const holding = (held: HeldAsset) => ({
    scaledSupply: 0n,
    scaledVariableDebt: 0n,
    stableDebt: 0n,
    usedAsCollateral: false,
    borrowing: false,
    normalizedIncome: RAY,
    normalizedDebt: RAY,
    price: shockedPrice(held.priceRaw, factorOf(held.asset)),
    unit: 10n ** BigInt(held.decimals),
    liquidationThresholdBps: BigInt(held.liquidationThresholdBps ?? 0),
    eModeThresholdBps: null,
  });
  const { healthFactor } = arithmetic.accountTotals([
    ...collateralAssets.map((held) => ({
      ...holding(held),
      scaledSupply: BigInt(held.amountRaw),
      usedAsCollateral: held.usedAsCollateral === true,
    })),
    ...debtAssets.map((held) => ({
      ...holding(held),
      scaledVariableDebt: BigInt(held.amountRaw),
      borrowing: true,
    })),
  ]);
  return healthFactor;
}
