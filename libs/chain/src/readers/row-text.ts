import { isAddress, type Address } from 'viem';
import type { ContractRow, MarketRow } from '../registry/registry';
import { ChainReadError } from '../rpc/chain-read-error';

/** This library returns addresses in lower case, so that they compare as text. */
export function lowerCase(address: Address): Address {
  return address.toLowerCase() as Address;
}

/** "reserves of aave-v3 AaveV3Ethereum", for errors. */
export function subjectOf(row: MarketRow, what: string): string {
  return `${what} of ${row.protocol} ${row.market}`;
}

/** An address that the registry row must name. @throws ChainReadError unknown_layout */
export function contractOf(row: MarketRow, name: string): Address {
  const address = optionalContractOf(row.contracts, name);
  if (address) return address;
  const message = `${subjectOf(row, 'registry row')} names no ${name}: add one`;
  throw new ChainReadError('unknown_layout', row.chainId, message);
}

/** An address that the registry row may name. */
export function optionalContractOf(contracts: ContractRow, name: string): Address | null {
  const value = contracts[name];
  return typeof value === 'string' && isAddress(value) ? lowerCase(value) : null;
}
