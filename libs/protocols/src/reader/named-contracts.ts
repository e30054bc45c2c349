import type { MarketRow } from '@plimsoll/evm';
import type { Address } from 'viem';

const ADDRESS = /^0x[0-9a-f]{40}$/;

/**
 * The contracts of a row in lower case, by name, as a receipt states them. Those of the branches of Liquity v2 are named by
 * their place, because no contract names the price feed of a branch.
 */
export function namedContracts({ contracts }: Pick<MarketRow, 'contracts'>): Record<string, Address> {
  const branches = (contracts['branches'] ?? []) as readonly Record<string, unknown>[];
  const named = [
    ...Object.entries(contracts),
    ...branches.flatMap((branch, at) =>
      Object.entries(branch).map(([name, value]) => [`branches.${at}.${name}`, value] as const),
    ),
  ];
  return Object.fromEntries(
    named.flatMap(([name, value]) => {
      const address = typeof value === 'string' ? value.toLowerCase() : '';
      return ADDRESS.test(address) ? [[name, address as Address] as const] : [];
    }),
  );
}
