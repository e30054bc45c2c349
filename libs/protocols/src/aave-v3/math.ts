import { percentMul, rayMul, wadDiv } from '../fixed-point/math';
import {
  compoundedInterestV2,
  normalizedDebt,
  stableDebtBalance,
  type ReserveAccrual,
  type StableDebt,
} from './interest-math';

/** One reserve of a wallet at one moment. Amounts are raw token units, prices are in base-currency units. */
export interface AaveV3Holding {
  scaledSupply: bigint;
  scaledVariableDebt: bigint;
  /** Balance of the stable-rate debt with its interest; 0n from revision 3.2 on. */
  stableDebt: bigint;
  /** Marked as collateral in the wallet's configuration word. */
  usedAsCollateral: boolean;
  /** Marked as borrowed in the wallet's configuration word. */
  borrowing: boolean;
  /** Indices of the reserve at the moment, in ray. */
  normalizedIncome: bigint;
  normalizedDebt: bigint;
  price: bigint;
  /** 10 to the power of the asset's decimals. */
  unit: bigint;
  /** The reserve's own threshold: at 0 the asset never counts, not even in an e-mode. */
  liquidationThresholdBps: bigint;
  /** The threshold of the wallet's e-mode category when the asset belongs to it, else null. */
  eModeThresholdBps: bigint | null;
}

/** The contract's figures of a wallet. Totals are in base-currency units. */
export interface AaveV3AccountTotals {
  totalCollateralBase: bigint;
  totalDebtBase: bigint;
  /** Average of the thresholds, weighted by value and truncated to a basis point. */
  liquidationThresholdBps: bigint;
  /** Wad. Null without debt, where the contract returns 2^256 − 1. */
  healthFactor: bigint | null;
}

/** The arithmetic that changes with the revision of the pool. */
export interface AaveV3Arithmetic {
  /** Index (ray) of a debt at `timestamp`. */
  normalizedDebt(reserve: ReserveAccrual, timestamp: bigint): bigint;
  /** Balance of a stable-rate debt. Pools from 3.2 on have none. */
  stableDebtBalance(debt: StableDebt, timestamp: bigint): bigint;
  /** The effective threshold of a holding, in basis points. */
  effectiveThresholdBps(
    holding: Pick<AaveV3Holding, 'liquidationThresholdBps' | 'eModeThresholdBps'>,
  ): bigint;
  /** Supplied balance in token units (AToken.balanceOf). */
  supplyBalance(holding: Pick<AaveV3Holding, 'scaledSupply' | 'normalizedIncome'>): bigint;
  /** Variable-rate debt in token units (VariableDebtToken.balanceOf). */
  variableDebtBalance(holding: Pick<AaveV3Holding, 'scaledVariableDebt' | 'normalizedDebt'>): bigint;
  accountTotals(holdings: readonly AaveV3Holding[]): AaveV3AccountTotals;
}

/** The effective threshold of a holding, in basis points. */
export function effectiveThresholdBps(
  holding: Pick<AaveV3Holding, 'liquidationThresholdBps' | 'eModeThresholdBps'>,
): bigint {
  if (holding.liquidationThresholdBps === 0n) return 0n;
  return holding.eModeThresholdBps ?? holding.liquidationThresholdBps;
}

/** Supplied balance in token units (AToken.balanceOf). */
export function supplyBalance(holding: Pick<AaveV3Holding, 'scaledSupply' | 'normalizedIncome'>): bigint {
  return rayMul(holding.scaledSupply, holding.normalizedIncome);
}

/** Variable-rate debt in token units (VariableDebtToken.balanceOf). */
export function variableDebtBalance(
  holding: Pick<AaveV3Holding, 'scaledVariableDebt' | 'normalizedDebt'>,
): bigint {
  return rayMul(holding.scaledVariableDebt, holding.normalizedDebt);
}

/**
 * Totals and health factor of a wallet, with every truncation of the contract. Valid for Aave v3.0 to v3.2
 * (GenericLogic.calculateUserAccountData of `@aave/core-v3`). Rounding differs from 3.3 on.
 */
export function aaveV3AccountTotals(holdings: readonly AaveV3Holding[]): AaveV3AccountTotals {
  let totalCollateralBase = 0n;
  let totalDebtBase = 0n;
  let weighted = 0n;
  for (const holding of holdings) {
    const threshold = effectiveThresholdBps(holding);
    if (holding.usedAsCollateral && holding.liquidationThresholdBps !== 0n) {
      const value = (supplyBalance(holding) * holding.price) / holding.unit;
      totalCollateralBase += value;
      weighted += value * threshold;
    }
    if (holding.borrowing) {
      const debt = variableDebtBalance(holding) + holding.stableDebt;
      totalDebtBase += (debt * holding.price) / holding.unit;
    }
  }
  const liquidationThresholdBps = totalCollateralBase === 0n ? 0n : weighted / totalCollateralBase;
  const healthFactor =
    totalDebtBase === 0n
      ? null
      : wadDiv(percentMul(totalCollateralBase, liquidationThresholdBps), totalDebtBase);
  return { totalCollateralBase, totalDebtBase, liquidationThresholdBps, healthFactor };
}

/** Aave v3.0 to v3.2. */
export const AAVE_V3_0: AaveV3Arithmetic = {
  normalizedDebt,
  stableDebtBalance,
  effectiveThresholdBps,
  supplyBalance,
  variableDebtBalance,
  accountTotals: aaveV3AccountTotals,
};

/** Aave v2: like v3.0, with another series of the compounded interest. */
export const AAVE_V2: AaveV3Arithmetic = {
  ...AAVE_V3_0,
  normalizedDebt: (reserve, timestamp) => normalizedDebt(reserve, timestamp, compoundedInterestV2),
  stableDebtBalance: (debt, timestamp) => stableDebtBalance(debt, timestamp, compoundedInterestV2),
};
