import { planOf, type BlockRef } from '@plimsoll/evm';
import { assetTotals, type AssetTotal } from '../reader/asset-totals';
import type { ReadScope } from '../reader/family';
import type { MarketTotals } from '../reader/market-totals';
import { PROTECTED, siloAbi as abi, readSiloIds, readSiloPairs } from './layout';

/**
 * The holdings and loans of all silos of a factory. Holdings include deposits that are not lent. @throws
 * ChainReadError
 */
export async function readSiloTotals(scope: ReadScope, block: BlockRef): Promise<MarketTotals | null> {
  const { row, multicall } = scope;
  const ids = await readSiloIds(scope, block);
  const { pairs } = await readSiloPairs(scope, block, ids);
  const plan = planOf(row, 'totals');
  const slots = [...pairs.values()].flatMap(({ sides }) =>
    sides.map(({ silo, token }) => ({
      token,
      secured: plan.call(silo, abi, 'getTotalAssetsStorage', [PROTECTED]),
      lent: plan.call(silo, abi, 'getCollateralAssets', []),
      owed: plan.call(silo, abi, 'getDebtAssets', []),
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
