import { maxUint256, type Address } from 'viem';
import { PlanBuilder } from '../../multicall/plan-builder';
import { readCall, type Outcome, type ReadPlan } from '../../multicall/read-call';
import type { MarketRow } from '../../registry/registry';
import type { Mismatch } from '../protocol-reader';
import type { RawPosition } from '../raw-position';
import { poolAbi } from './abi';
import { subjectOf, type AaveV3Layout } from './layout';

/** The contract's own figures of a wallet; health factor null without debt. */
export interface ContractTotals {
  totalCollateral: bigint;
  totalDebt: bigint;
  healthFactor: bigint | null;
}

/** Plans the read of Pool.getUserAccountData for every wallet. */
export function planTotals(
  row: MarketRow,
  { pool }: AaveV3Layout,
  wallets: readonly Address[],
): ReadPlan<Map<Address, Outcome<ContractTotals>>> {
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'account data'));
  const slots = wallets.map((wallet) => ({
    wallet,
    slot: plan.add(readCall(pool, poolAbi, 'getUserAccountData', [wallet])),
  }));
  return plan.build(({ outcome }) => {
    return new Map(
      slots.map(({ wallet, slot }) => {
        const found = outcome(slot);
        return [wallet, found.ok ? { ok: true, value: toTotals(found.value) } : found];
      }),
    );
  });
}

function toTotals([totalCollateral, totalDebt, , , , healthFactor]: readonly bigint[]): ContractTotals {
  return {
    totalCollateral: totalCollateral ?? 0n,
    totalDebt: totalDebt ?? 0n,
    healthFactor: healthFactor === undefined || healthFactor === maxUint256 ? null : healthFactor,
  };
}

/** Compares a recomputed position with the contract's figures, which win. */
export function confirmPosition(
  position: RawPosition,
  contract: ContractTotals,
): { position: RawPosition; mismatches: Mismatch[] } {
  const figures = [
    ['totalCollateral', position.totalCollateralRaw, contract.totalCollateral],
    ['totalDebt', position.totalDebtRaw, contract.totalDebt],
    ['healthFactor', position.healthFactorRaw, contract.healthFactor],
  ] as const;
  const mismatches = position.isApproximate
    ? []
    : figures
        .filter(([, computed, own]) => computed !== own)
        .map(([figure, computed, own]) => ({ wallet: position.wallet, figure, computed, contract: own }));
  const confirmed = {
    ...position,
    totalCollateralRaw: contract.totalCollateral,
    totalDebtRaw: contract.totalDebt,
    healthFactorRaw: contract.healthFactor,
    isApproximate: position.isApproximate || mismatches.length > 0,
  };
  return { position: confirmed, mismatches };
}
