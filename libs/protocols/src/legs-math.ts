import { CallMissing, addressText, type FormulaResult, type ReadWords } from './receipt-math';

/** An asset on one side, as a formula computes it. */
export type FormulaLeg = FormulaResult['legs'][number];

/** A price as a leg states it. */
export type LegPrice = Pick<FormulaLeg, 'price' | 'priceDecimals'>;

/** An asset with its price. */
export interface PricedAsset extends LegPrice, Pick<FormulaLeg, 'asset' | 'decimals' | 'oracle'> {}

/** The figures of a wallet that does not have the position. */
export const NO_POSITION: FormulaResult = {
  legs: [],
  totalCollateral: 0n,
  totalDebt: 0n,
  healthFactor: null,
};

/** The price of a token that a protocol counts at one dollar. */
export const ONE_DOLLAR: LegPrice = { price: 10n ** 18n, priceDecimals: 18 };

const UNCOUNTED = { liquidationThresholdBps: 0n, usedAsCollateral: false } as const;

/** A supply that secures debt. */
export function securedLeg(asset: PricedAsset, amount: bigint, liquidationThresholdBps: bigint): FormulaLeg {
  return { ...asset, side: 'collateral', amount, liquidationThresholdBps, usedAsCollateral: true };
}

/** A supply that secures nothing. */
export function lentLeg(asset: PricedAsset, amount: bigint): FormulaLeg {
  return { ...asset, ...UNCOUNTED, side: 'collateral', amount };
}

/** A debt. */
export function owedLeg(asset: PricedAsset, amount: bigint): FormulaLeg {
  return { ...asset, ...UNCOUNTED, side: 'debt', amount };
}

/** The most decimals that a price or a token of a position has. */
const MAX_DECIMALS = 36;

/** A price of any precision with at most 36 decimals, and at least none. */
export function shownPrice(price: bigint, decimals: number): LegPrice {
  if (decimals > MAX_DECIMALS)
    return { price: price / 10n ** BigInt(decimals - MAX_DECIMALS), priceDecimals: MAX_DECIMALS };
  if (decimals < 0) return { price: price * 10n ** BigInt(-decimals), priceDecimals: 0 };
  return { price, priceDecimals: decimals };
}

/** @param missing the decimals of a token that states none @throws CallMissing */
export function decimalsOf(read: ReadWords, token: bigint, missing?: number): number {
  const stated = read.attemptWord(token, '0x313ce567');
  const decimals = stated === null ? missing : Number(stated);
  if (decimals === undefined || decimals > MAX_DECIMALS)
    throw new CallMissing(`decimals of ${addressText(token)} has no such result`);
  return decimals;
}
