import { type Address, isAddress } from 'viem';
import { lowerCase, type LabelText, type ProtocolRegistry } from './registry';

/**
 * Labels of a chain by address in lower case: the rows of the table, and every contract of the chain in the
 * registry. A smart account is no such contract: it stays a wallet.
 */
export function labelsOf(registry: ProtocolRegistry, chainId: number): Map<Address, LabelText> {
  const labels = new Map<Address, LabelText>();
  for (const { name, chains } of registry.protocols) {
    for (const address of addressesIn(chains[String(chainId)]))
      labels.set(lowerCase(address), { kind: 'protocol', name });
  }
  for (const row of registry.labels ?? []) {
    if (row.chainId !== chainId) continue;
    labels.set(lowerCase(row.address), { kind: row.kind, name: row.name });
  }
  return labels;
}

function addressesIn(value: unknown): Address[] {
  if (typeof value === 'string') return isAddress(value, { strict: false }) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(addressesIn) : [];
}
