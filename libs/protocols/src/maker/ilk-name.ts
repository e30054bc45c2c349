import { hexToString, type Hex } from 'viem';

/** The collateral in the name of an ilk: "ETH" of "ETH-A". */
export function nameOf(ilk: Hex): string {
  return hexToString(ilk, { size: 32 }).split('-')[0]!;
}
