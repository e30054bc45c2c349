import {
  type BlockRef,
  PlanBuilder,
  readCall,
  contractOf,
  lowerCase,
  optionalContractOf,
  subjectOf,
} from '@plimsoll/evm';
import { maxUint256, parseAbi } from 'viem';
import { assetTotals, type AssetTotal } from '../reader/asset-totals';
import type { ReadScope } from '../reader/family';
import type { MarketTotals } from '../reader/market-totals';

const abi = parseAbi([
  'function getProxyListSlice(uint256 start, uint256 end) view returns (address[] list)',
  'function asset() view returns (address)',
  'function totalAssets() view returns (uint256)',
  'function totalBorrows() view returns (uint256)',
]);

/**
 * The holdings and loans of all vaults that the factory created. Null if the row has no factory. @throws
 * ChainReadError
 */
export async function readEulerTotals(scope: ReadScope, block: BlockRef): Promise<MarketTotals | null> {
  const { row, multicall } = scope;
  if (!optionalContractOf(row.contracts, 'eVaultFactory')) return null;
  const entry = new PlanBuilder(row.chainId, subjectOf(row, 'vaults'));
  const list = entry.add(
    readCall(contractOf(row, 'eVaultFactory'), abi, 'getProxyListSlice', [0n, maxUint256]),
  );
  const vaults = await multicall.read(
    entry.build(({ value }) => value(list).map(lowerCase)),
    block,
  );
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'totals'));
  const slots = vaults.map((vault) => ({
    asset: plan.add(readCall(vault, abi, 'asset', [])),
    supplied: plan.add(readCall(vault, abi, 'totalAssets', [])),
    borrowed: plan.add(readCall(vault, abi, 'totalBorrows', [])),
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
