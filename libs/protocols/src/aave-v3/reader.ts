import type { Family } from '../reader/family';
import { planAccounts, type AaveV3Account } from './accounts';
import { evaluateAccount } from './evaluate';
import { planFigures } from './figures';
import { readLayout, type AaveV3Layout } from './layout';
import { planMarket, type AaveV3Market } from './market';
import { aaveV3Ratios } from './ratios';
import { planReserve } from './reserve-state';
import { planTotals } from './totals';
import { touched } from './touched';

/** Aave v3, Spark, HyperLend: one row is one pool. */
export const aaveV3: Family<AaveV3Layout, AaveV3Market, AaveV3Account> = {
  readLayout,
  readMarket: (scope, layout, block) => scope.multicall.read(planMarket(scope, layout, block), block),
  readAccounts: async ({ row, multicall }, holders, block, market) => {
    const wallets = holders.map(({ wallet }) => wallet);
    return multicall.read(planAccounts(row, await market(), wallets), block);
  },
  evaluate: (row, market, account) => evaluateAccount(row, market, account),
  planFigures,
  planTotals,
  readReserve: (scope, market, key) => scope.multicall.read(planReserve(scope, market, key), market.block),
  touched,
  ratios: aaveV3Ratios,
};
