import { PlanBuilder, readCall, type ReadPlan, subjectOf } from '@plimsoll/evm';
import { type Address, parseAbi, zeroAddress } from 'viem';
import type { ReadScope } from '../reader/family';
import { type MarketTotals, toUsd, totalsOf } from '../reader/market-totals';
import type { AaveV3Market } from './market';

const supplyAbi = parseAbi(['function totalSupply() view returns (uint256)']);

/** Plans the read of a market's totals: the supply of every aToken and debt token, interest included (v2 as v3). */
export function planTotals(
  { row }: ReadScope,
  { reserves, layout, block, usdPerBaseRaw }: AaveV3Market,
): ReadPlan<MarketTotals | null> {
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'totals'));
  const slots = reserves.map((reserve) => {
    const debtTokens = [reserve.variableDebtToken, reserve.stableDebtToken].filter(
      (token): token is Address => token !== null && token !== zeroAddress,
    );
    return {
      reserve,
      supplied: plan.add(readCall(reserve.aToken, supplyAbi, 'totalSupply', [])),
      borrowed: debtTokens.map((token) => plan.add(readCall(token, supplyAbi, 'totalSupply', []))),
    };
  });
  return plan.build(({ value }) => {
    if (usdPerBaseRaw === null) return null;
    const totals = slots.map(({ reserve, supplied, borrowed }) => {
      const usd = (amount: bigint): number =>
        toUsd((amount * reserve.price) / reserve.unit, layout.priceDecimals, usdPerBaseRaw);
      return {
        suppliedUsd: usd(value(supplied)),
        borrowedUsd: usd(borrowed.reduce((sum, slot) => sum + value(slot), 0n)),
      };
    });
    return totalsOf(totals, block.number);
  });
}
