import { type BlockRef, lowerCase, readAll } from '@plimsoll/evm';
import { PERCENTAGE_FACTOR, WAD } from '../fixed-point/math';
import { type AssetRates, PER_SECOND_RAY, suppliersShare } from '../reader/asset-rates';
import type { RowScope } from '../reader/family';
import { readSymbols } from '../reader/tokens';
import { vaultAbi } from './abi';
import { readVaults } from './index-sources';

/**
 * The rates of all vaults that the factory created. A vault that cannot be read affects only itself. A vault states the rate
 * of its loans since its last action, and its fee. Source: euler-vault-kit, Borrowing.sol, interestRate; Cache.sol,
 * initVaultCache. @throws ChainReadError
 */
export async function readEulerRates(scope: RowScope, block: BlockRef): Promise<AssetRates[]> {
  const vaults = await readVaults(scope, block);
  const read = await readAll(scope, 'rates', block, (plan) =>
    vaults.map((vault) => ({
      asset: plan.attempt(vault, vaultAbi, 'asset', []),
      rate: plan.attempt(vault, vaultAbi, 'interestRate', []),
      fee: plan.attempt(vault, vaultAbi, 'interestFee', []),
      supplied: plan.attempt(vault, vaultAbi, 'totalAssets', []),
      borrowed: plan.attempt(vault, vaultAbi, 'totalBorrows', []),
    })),
  );
  const known = read.flatMap(({ asset, rate, fee, supplied, borrowed }, index) => {
    if (!asset.ok || !rate.ok || !fee.ok || !supplied.ok || !borrowed.ok) return [];
    const totals = { supplied: supplied.value, borrowed: borrowed.value };
    const share = (BigInt(fee.value) * WAD) / PERCENTAGE_FACTOR;
    return [
      {
        vault: vaults[index]!,
        token: lowerCase(asset.value),
        supply: suppliersShare(rate.value, { ...totals, fee: share }),
        borrow: rate.value,
      },
    ];
  });
  const symbols = await readSymbols(
    scope,
    known.map(({ token }) => token),
    block,
  );
  return known.map(({ vault, token, supply, borrow }, index) => ({
    subId: vault,
    token,
    symbol: symbols[index]!.symbol,
    collateral: null,
    unit: PER_SECOND_RAY,
    supply: { raw: supply, statedBy: null },
    borrow: { raw: borrow, statedBy: 'interestRate' },
  }));
}
