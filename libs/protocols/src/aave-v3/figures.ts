import { PlanBuilder, readCall, type Outcome, type ReadPlan, subjectOf } from '@plimsoll/evm';
import { maxUint256 } from 'viem';
import type { ContractFigures, ReadScope } from '../reader/family';
import type { RawPosition } from '../reader/raw-position';
import { poolAbi } from './abi';
import type { AaveV3Market } from './market';

/** Plans the read of Pool.getUserAccountData for every position. */
export function planFigures(
  { row }: ReadScope,
  { layout: { pool } }: AaveV3Market,
  positions: readonly RawPosition[],
): ReadPlan<Outcome<ContractFigures>[]> {
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'account data'));
  const slots = positions.map(({ wallet }) =>
    plan.add(readCall(pool, poolAbi, 'getUserAccountData', [wallet])),
  );
  return plan.build(({ outcome }) =>
    slots.map((slot) => {
      const found = outcome(slot);
      return found.ok ? { ok: true, value: toFigures(found.value) } : found;
    }),
  );
}

function toFigures([totalCollateral, totalDebt, , , , healthFactor]: readonly bigint[]): ContractFigures {
  return {
    totalCollateral: totalCollateral ?? 0n,
    totalDebt: totalDebt ?? 0n,
    healthFactor: healthFactor === undefined || healthFactor === maxUint256 ? null : healthFactor,
  };
}
