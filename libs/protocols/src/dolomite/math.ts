import { WAD } from '../fixed-point/math';

/** A value is an amount times a price. The price has these decimals less those of its token. */
export const DOLOMITE_VALUE_DECIMALS = 36;

/** The collateral that an account must hold above its debt. */
export interface DolomiteMargin {
  /** Wad, over 1. */
  ratio: bigint;
  /** Whether the margin premiums of markets count too. */
  hasPremiums: boolean;
}

/**
 * The margin of an account. An override (wad) of its owner's risk setter replaces the ratio of all accounts and the
 * premiums of markets; 0 is none. Source: dolomite-margin, Storage.sol, isCollateralized and getAccountValues.
 */
export function dolomiteMargin(ratio: bigint, override: bigint): DolomiteMargin {
  return override === 0n ? { ratio, hasPremiums: true } : { ratio: override, hasPremiums: false };
}

/** One balance of an account: its value by the price of the contract, and the premium (wad) of its market. */
export interface DolomiteValue {
  isDebt: boolean;
  value: bigint;
  marginPremium: bigint;
}

/**
 * The values by which DolomiteMargin decides: premiums divide supplies and multiply debts, each rounded down.
 * Source: dolomite-margin, Storage.sol, getAccountValues.
 */
export function dolomiteAdjusted(
  values: readonly DolomiteValue[],
  { hasPremiums }: DolomiteMargin,
): { supply: bigint; borrow: bigint } {
  let [supply, borrow] = [0n, 0n];
  for (const { isDebt, value, marginPremium } of values) {
    const adjust = WAD + (hasPremiums ? marginPremium : 0n);
    if (isDebt) borrow += (value * adjust) / WAD;
    else supply += (value * WAD) / adjust;
  }
  return { supply, borrow };
}

/**
 * Health factor (wad), rounded down, of the values by which DolomiteMargin decides whether an account is
 * collateralized: supply ≥ borrow + borrow · ratio. The contract adjusts both by the margin premiums of their markets
 * unless the account has an override.
 * Null without a debt.
 * @param marginRatio wad, over 1
 */
export function dolomiteHealthFactor(supply: bigint, borrow: bigint, marginRatio: bigint): bigint | null {
  if (borrow === 0n) return null;
  return (supply * WAD) / (borrow + (borrow * marginRatio) / WAD);
}
