import { type BlockRef, lowerCase } from '@plimsoll/evm';
import { slice, type Address } from 'viem';
import type { IndexSource, ReadScope } from '../reader/family';
import { TRANSFER, readSiloIds, readSiloPairs, type SiloPair } from './layout';

/**
 * Markets of one source: a market that is created later changes only the last source, whose contracts are
 * new.
 */
const MARKETS_PER_SOURCE = 50;

/** Transfers of the share tokens of all markets of a factory. @throws ChainReadError */
export async function readSiloIndex(scope: ReadScope, block: BlockRef): Promise<IndexSource[]> {
  const ids = await readSiloIds(scope, block);
  const { pairs } = await readSiloPairs(scope, block, ids);
  const count = Math.ceil(ids.length / MARKETS_PER_SOURCE);
  return Array.from({ length: count }, (_, index) => {
    const own = ids.slice(index * MARKETS_PER_SOURCE, (index + 1) * MARKETS_PER_SOURCE);
    return sourceOf(String(index), own, pairs);
  });
}

/**
 * Any account can create a market with a config of its own, which can name the share tokens of another market as its own. So a
 * token may belong to several markets, and hides none of them.
 */
function sourceOf(name: string, ids: readonly string[], pairs: ReadonlyMap<string, SiloPair>): IndexSource {
  const idsOf = new Map<Address, string[]>();
  for (const id of ids)
    for (const { protectedShares, collateralShares, debtShares } of pairs.get(id)?.sides ?? [])
      for (const token of [protectedShares, collateralShares, debtShares])
        idsOf.set(token, [...(idsOf.get(token) ?? []), id]);
  return {
    name,
    addresses: [...idsOf.keys()],
    unread: ids.filter((id) => !pairs.has(id)),
    topics: [TRANSFER],
    entriesOf: ({ address, topics }) => {
      const to = topics[2];
      if (!to) return [];
      return (idsOf.get(lowerCase(address)) ?? []).map((id) => ({ wallet: slice(to, 12), subId: id }));
    },
  };
}
