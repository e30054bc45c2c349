import { planOf, type BlockRef, contractOf } from '@plimsoll/evm';
import { fluidDebtUsd } from './math';
import type { ReadScope } from '../reader/family';
import { type MarketTotals, toUsd, totalsOf } from '../reader/market-totals';
import { fluidAbi as abi, readFluidLayout, readVaults } from './layout';
import { addSideUsd } from './side-usd';

/** Decimals of the oracle's price between the smallest units of both sides. */
const PRICE_DECIMALS = 27;

/**
 * The holdings and loans of all vaults. A vault's oracle values both sides from the one that a dollar oracle
 * knows. A vault without such a side counts as zero. @throws ChainReadError
 */
export async function readFluidTotals(scope: ReadScope, block: BlockRef): Promise<MarketTotals | null> {
  const { row, multicall } = scope;
  const resolver = contractOf(row, 'vaultResolver');
  const vaults = await readVaults(scope, block);
  const layout = await readFluidLayout(scope, block, vaults);
  const plan = planOf(row, 'totals');
  const slots = [...layout.vaults].map(([vault, { supply, borrow }]) => ({
    supply,
    borrow,
    data: plan.call(resolver, abi, 'getVaultEntireData', [vault]),
    supplyUsd: addSideUsd(plan, scope, supply, 'supply'),
    borrowUsd: addSideUsd(plan, scope, borrow, 'borrow'),
  }));
  if (slots.length === 0) return totalsOf([], block.number);
  return multicall.read(
    plan.build((results) => {
      const reserves = slots.flatMap(({ supply, borrow, data, supplyUsd, borrowUsd }) => {
        const result = results.outcome(data);
        if (!result.ok) return [];
        const { configs, totals } = result.value;
        const price = configs.oraclePriceLiquidate;
        const known = supplyUsd(results);
        const usd =
          borrowUsd(results) ??
          (known === null ? null : fluidDebtUsd(known, price, supply.decimals, borrow.decimals));
        if (usd === null) return [];
        const inDebt = (totals.totalSupplyVault * price) / 10n ** BigInt(PRICE_DECIMALS);
        return [
          { suppliedUsd: toUsd(inDebt, borrow.decimals, usd), borrowedUsd: 0 },
          { suppliedUsd: 0, borrowedUsd: toUsd(totals.totalBorrowVault, borrow.decimals, usd) },
        ];
      });
      return reserves.length > 0 ? totalsOf(reserves, block.number) : null;
    }),
    block,
  );
}
