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

function sourceOf(name: string, ids: readonly string[], pairs: ReadonlyMap<string, SiloPair>): IndexSource {
  const idOf = new Map(
    ids.flatMap((id) =>
      (pairs.get(id)?.sides ?? []).flatMap(({ protectedShares, collateralShares, debtShares }) =>
        [protectedShares, collateralShares, debtShares].map((token): [Address, string] => [token, id]),
      ),
    ),
  );
  return {
    name,
    addresses: [...idOf.keys()],
    unread: ids.filter((id) => !pairs.has(id)),
    topics: [TRANSFER],
    entriesOf: ({ address, topics }) => {
      const [id, to] = [idOf.get(lowerCase(address)), topics[2]];
      return id && to ? [{ wallet: slice(to, 12), subId: id }] : [];
    },
  };
}
