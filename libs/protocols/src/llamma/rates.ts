import { type BlockRef, readAll } from '@plimsoll/evm';
import { type Address, parseAbi } from 'viem';
import { type AssetRates, PER_SECOND, suppliersShare } from '../reader/asset-rates';
import type { RowScope } from '../reader/family';
import { llammaAbi, type LlammaPair } from './loan';

const abi = parseAbi([
  'function totalAssets() view returns (uint256)',
  'function admin_percentage() view returns (uint256)',
]);

/** A market whose debts grow. */
export interface LlammaLender {
  subId: string;
  controller: Address;
  pair: Pick<LlammaPair, 'amm' | 'borrowed' | 'collateral'>;
  /** The vault whose suppliers lend. Null: the controller mints. */
  vault: Address | null;
  /** Whether the controller keeps a part of the interest. */
  hasFee: boolean;
}

/**
 * The rate at which the debts of a market grow since its last action, which its AMM states. It belongs to the suppliers of
 * the vault, less a fee in the markets of the second factory. A market that cannot state it has null. Source:
 * curve-stablecoin, AMM.vy, _rate_mul; lending/Vault.vy, lend_apr. @throws ChainReadError
 */
export async function readLlammaRates(
  scope: RowScope,
  lenders: readonly LlammaLender[],
  block: BlockRef,
): Promise<AssetRates[]> {
  const read = await readAll(scope, 'rates', block, (plan) =>
    lenders.map(({ controller, pair, vault, hasFee }) => ({
      rate: plan.attempt(pair.amm, llammaAbi, 'rate', []),
      debt: plan.attempt(controller, llammaAbi, 'total_debt', []),
      supplied: vault && plan.attempt(vault, abi, 'totalAssets', []),
      fee: hasFee ? plan.attempt(controller, abi, 'admin_percentage', []) : null,
    })),
  );
  return lenders.map(({ subId, pair: { borrowed, collateral } }, index) => {
    const { rate, debt, supplied, fee } = read[index]!;
    const kept = fee === null ? 0n : fee.ok ? fee.value : null;
    const ofSuppliers =
      rate.ok && debt.ok && supplied?.ok && kept !== null
        ? suppliersShare(rate.value, { supplied: supplied.value, borrowed: debt.value, fee: kept })
        : null;
    return {
      subId,
      token: borrowed.address,
      symbol: borrowed.symbol,
      collateral: { token: collateral.address, symbol: collateral.symbol },
      unit: PER_SECOND,
      supply: ofSuppliers === null ? null : { raw: ofSuppliers, statedBy: null },
      borrow: rate.ok ? { raw: rate.value, statedBy: 'rate' } : null,
    };
  });
}
