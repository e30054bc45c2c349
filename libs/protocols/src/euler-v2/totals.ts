import { planOf, type BlockRef, lowerCase, optionalContractOf } from '@plimsoll/evm';
import { assetTotals, type AssetTotal } from '../reader/asset-totals';
import type { ReadScope } from '../reader/family';
import type { MarketTotals } from '../reader/market-totals';
import { vaultAbi } from './abi';
import { readVaults } from './index-sources';

/**
 * The holdings and loans of all vaults that the factory created. Null if the row has no factory. @throws
 * ChainReadError
 */
export async function readEulerTotals(scope: ReadScope, block: BlockRef): Promise<MarketTotals | null> {
  const { row, multicall } = scope;
  if (!optionalContractOf(row.contracts, 'eVaultFactory')) return null;
  const vaults = await readVaults(scope, block);
  const plan = planOf(row, 'totals');
  const slots = vaults.map((vault) => ({
    asset: plan.call(vault, vaultAbi, 'asset', []),
    supplied: plan.call(vault, vaultAbi, 'totalAssets', []),
    borrowed: plan.call(vault, vaultAbi, 'totalBorrows', []),
  }));
  const assets = await multicall.read(
    plan.build(({ outcome }) =>
      slots.flatMap((slot): AssetTotal[] => {
        const [asset, supplied, borrowed] = [
          outcome(slot.asset),
          outcome(slot.supplied),
          outcome(slot.borrowed),
        ];
        // A vault that cannot be read affects only itself.
        if (!asset.ok || !supplied.ok || !borrowed.ok) return [];
        return [{ token: lowerCase(asset.value), supplied: supplied.value, borrowed: borrowed.value }];
      }),
    ),
    block,
  );
  return assetTotals(scope, assets, block);
}
