import { PERCENTAGE_FACTOR, WAD } from '../fixed-point/math';

/**
 * Health factor (wad), rounded down, of an account's collateral, adjusted by the LTVs of liquidation, and its
 * liability, both in the unit of account: healthy while the collateral is above. Null without a liability.
 * Source: LiquidityUtils of euler-xyz/euler-vault-kit.
 */
export function eulerHealthFactor(adjustedCollateral: bigint, liability: bigint): bigint | null {
  return liability === 0n ? null : (adjustedCollateral * WAD) / liability;
}

/** The value of a collateral after its LTV. Source: LiquidityUtils.getCollateralValue of euler-xyz/euler-vault-kit. */
export function eulerAdjusted(value: bigint, ltvBps: bigint): bigint {
  return (value * ltvBps) / PERCENTAGE_FACTOR;
}

/**
 * The 256 accounts of an owner differ only in their last byte. This is the one that ends in two given hex
 * digits.
 */
export function eulerAccountOf(owner: `0x${string}`, lastByte: string): `0x${string}` {
  return `${owner.slice(0, -2)}${lastByte}` as `0x${string}`;
}

/** The number of that account, 0 to 255: its last byte, exclusive or the owner's. */
export function eulerAccountNumber(owner: `0x${string}`, lastByte: string): number {
  return parseInt(owner.slice(-2), 16) ^ parseInt(lastByte, 16);
}
