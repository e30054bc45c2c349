import { keccak256, stringToHex, type Address, type Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

/** A demo wallet. Its key is derived from a public seed, so it must never hold anything of value. */
export interface DemoWallet {
  address: Address;
  privateKey: Hex;
}

/** The wallet of an index: the same on every machine and after every reset. */
export function demoWallet(index: number): DemoWallet {
  const privateKey = keccak256(stringToHex(`plimsoll demo wallet ${index}`));
  return { address: privateKeyToAddress(privateKey), privateKey };
}
