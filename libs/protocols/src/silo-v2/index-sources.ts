import { type BlockRef, PlanBuilder, readCall, contractOf, lowerCase, subjectOf } from '@plimsoll/evm';
import { slice, type Address } from 'viem';
import type { IndexSource, ReadScope } from '../reader/family';
import { TRANSFER, siloAbi as abi } from './abi';
import { readSiloPairs, type SiloPair } from './layout';

/**
 * Markets of one source: a market that is created later changes only the last source, whose contracts are
 * new.
 */
const MARKETS_PER_SOURCE = 50;

/** Transfers of the share tokens of all markets of a factory. @throws ChainReadError */
export async function readSiloIndex(scope: ReadScope, block: BlockRef): Promise<IndexSource[]> {
  const { row, multicall } = scope;
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'silos'));
  const slot = plan.add(readCall(contractOf(row, 'factory'), abi, 'getNextSiloId', []));
  const next = await multicall.read(
    plan.build(({ value }) => Number(value(slot))),
    block,
  );
  const ids = Array.from({ length: next - 1 }, (_, index) => String(index + 1));
  const { pairs } = await readSiloPairs(scope, block, ids);
  const count = Math.ceil(ids.length / MARKETS_PER_SOURCE);
  return Array.from({ length: count }, (_, index) => {
    const own = ids.slice(index * MARKETS_PER_SOURCE, (index + 1) * MARKETS_PER_SOURCE);
    return sourceOf(
      String(index),
      own.map((id) => [id, pairs.get(id)!]),
    );
  });
}

function sourceOf(name: string, markets: readonly (readonly [string, SiloPair])[]): IndexSource {
  const idOf = new Map(
    markets.flatMap(([id, { sides }]) =>
      sides.flatMap(({ protectedShares, collateralShares, debtShares }) =>
        [protectedShares, collateralShares, debtShares].map((token): [Address, string] => [token, id]),
      ),
    ),
  );
  return {
    name,
    addresses: [...idOf.keys()],
    topics: [TRANSFER],
    entriesOf: ({ address, topics }) => {
      const [id, to] = [idOf.get(lowerCase(address)), topics[2]];
      return id && to ? [{ wallet: slice(to, 12), subId: id }] : [];
    },
  };
}
