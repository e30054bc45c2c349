import type { MarketRow } from '@plimsoll/evm';
import { FORMULAS } from '@plimsoll/protocols/math';

const ADDRESS = /^0x[0-9a-f]{40}$/;

/** The contracts of a market by name, in lower case. */
export function contractsOf({ contracts }: MarketRow): Record<string, string> {
  const named = Object.entries(contracts).flatMap(([name, value]) => {
    const address = typeof value === 'string' ? value.toLowerCase() : '';
    return ADDRESS.test(address) ? [[name, address] as const] : [];
  });
  return Object.fromEntries(named);
}

/** The newest published formula of a family. Null: none is published. */
export function newestFormula(family: string): { name: string; version: number } | null {
  const [version] = Object.keys(FORMULAS[family] ?? {})
    .map(Number)
    .toSorted((a, b) => b - a);
  return version === undefined ? null : { name: family, version };
}
