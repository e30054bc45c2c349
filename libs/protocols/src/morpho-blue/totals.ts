import { planOf, type BlockRef, lowerCase } from '@plimsoll/evm';
import { erc20Abi, type Address } from 'viem';
import type { MorphoMarketState } from './math';
import { assetTotals } from '../reader/asset-totals';
import type { ReadScope } from '../reader/family';
import type { MarketTotals } from '../reader/market-totals';

/** The part of a market that its totals need. */
interface LendingMarket {
  params: { loanToken: Address; collateralToken: Address };
  state: Pick<MorphoMarketState, 'totalBorrowAssets'>;
}

/**
 * The holdings and loans of Morpho for each token. Morpho keeps no sum of a market's collateral, but its
 * token balance equals everything that was supplied, as collateral or for lending, minus the loans. @throws
 * ChainReadError
 */
export async function morphoTotals(
  scope: ReadScope,
  block: BlockRef,
  morpho: Address,
  markets: readonly LendingMarket[],
): Promise<MarketTotals | null> {
  const borrowed = new Map<Address, bigint>();
  const add = (token: Address, amount: bigint): void =>
    void borrowed.set(lowerCase(token), (borrowed.get(lowerCase(token)) ?? 0n) + amount);
  for (const { params, state } of markets) {
    add(params.loanToken, state.totalBorrowAssets);
    add(params.collateralToken, 0n);
  }
  const plan = planOf(scope.row, 'balances');
  const slots = [...borrowed].map(([token, owed]) => ({
    token,
    owed,
    held: plan.call(token, erc20Abi, 'balanceOf', [morpho]),
  }));
  const assets = await scope.multicall.read(
    plan.build(({ outcome }) =>
      slots.flatMap(({ token, owed, held }) => {
        const result = outcome(held);
        // Any account can open a market of any token. A token without a balance counts as zero.
        return result.ok ? [{ token, supplied: result.value + owed, borrowed: owed }] : [];
      }),
    ),
    block,
  );
  return assetTotals(scope, assets, block);
}
