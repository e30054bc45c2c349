import type { MarketRow } from '@plimsoll/chain';
import { type Address, isAddress } from 'viem';
import { Unexecutable } from './execution-family';

/**
 * Returns an address from the registry's row.
 * @throws Unexecutable
 */
export function contractOf({ contracts, market }: MarketRow, name: string): Address {
  const address = optionalContractOf(contracts, name);
  if (address) return address;
  throw new Unexecutable(`The registry names no ${name} of ${market}.`);
}

export function optionalContractOf(contracts: MarketRow['contracts'], name: string): Address | null {
  const address = contracts[name];
  return typeof address === 'string' && isAddress(address) ? address : null;
}
