import { type BlockRef, PlanBuilder, readCall, contractOf, subjectOf } from '@plimsoll/evm';
import { assetTotals, type AssetTotal } from '../reader/asset-totals';
import type { ReadScope } from '../reader/family';
import type { MarketTotals } from '../reader/market-totals';
import { PROTECTED, siloAbi as abi } from './abi';
import { readSiloPairs } from './layout';

/**
 * The holdings and loans of all silos of a factory. Holdings include deposits that are not lent. @throws
 * ChainReadError
 */
export async function readSiloTotals(scope: ReadScope, block: BlockRef): Promise<MarketTotals | null> {
  const { row, multicall } = scope;
  const entry = new PlanBuilder(row.chainId, subjectOf(row, 'factory'));
  const next = entry.add(readCall(contractOf(row, 'factory'), abi, 'getNextSiloId', []));
  const count = await multicall.read(
    entry.build(({ value }) => Number(value(next)) - 1),
    block,
  );
  const ids = Array.from({ length: count }, (_, index) => String(index + 1));
  const { pairs } = await readSiloPairs(scope, block, ids);
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'totals'));
  const slots = [...pairs.values()].flatMap(({ sides }) =>
    sides.map(({ silo, token }) => ({
      token,
      secured: plan.add(readCall(silo, abi, 'getTotalAssetsStorage', [PROTECTED])),
      lent: plan.add(readCall(silo, abi, 'getCollateralAssets', [])),
      owed: plan.add(readCall(silo, abi, 'getDebtAssets', [])),
    })),
  );
  const assets = await multicall.read(
    plan.build(({ outcome }) =>
      slots.flatMap(({ token, ...slot }): AssetTotal[] => {
        const [secured, lent, owed] = [outcome(slot.secured), outcome(slot.lent), outcome(slot.owed)];
        if (!secured.ok || !lent.ok || !owed.ok) return [];
        return [{ token, supplied: secured.value + lent.value, borrowed: owed.value }];
      }),
    ),
    block,
  );
  return assetTotals(scope, assets, block);
}
