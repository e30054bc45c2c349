import { percentMul, rayMul, wadDiv, PERCENTAGE_FACTOR, RAY } from '../fixed-point/math';
import {
  compoundedInterestV2,
  normalizedDebt,
  stableDebtBalance,
  type ReserveAccrual,
  type StableDebt,
  compoundedInterestV36,
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

const divideUp = (numerator: bigint, divisor: bigint): bigint => (numerator + divisor - 1n) / divisor;

/**
 * Aave v3.6: balances round against the wallet, an e-mode's threshold counts even if the asset has none of
 * its own, and the average threshold is not truncated before the health factor. Source:
 * GenericLogic.calculateUserAccountData and TokenMath of `@aave-dao/aave-v3-origin` 3.6.0.
 */
export const AAVE_V3_6: AaveV3Arithmetic = {
  normalizedDebt: (reserve, timestamp) => normalizedDebt(reserve, timestamp, compoundedInterestV36),
  stableDebtBalance,
  effectiveThresholdBps: ({ liquidationThresholdBps, eModeThresholdBps }) =>
    eModeThresholdBps ?? liquidationThresholdBps,
  supplyBalance: ({ scaledSupply, normalizedIncome }) => (scaledSupply * normalizedIncome) / RAY,
  variableDebtBalance: ({ scaledVariableDebt, normalizedDebt: index }) =>
    divideUp(scaledVariableDebt * index, RAY),
  accountTotals(holdings) {
    let totalCollateralBase = 0n;
    let totalDebtBase = 0n;
    let weighted = 0n;
    for (const holding of holdings) {
      if (holding.usedAsCollateral) {
        const value = (AAVE_V3_6.supplyBalance(holding) * holding.price) / holding.unit;
        totalCollateralBase += value;
        weighted += value * AAVE_V3_6.effectiveThresholdBps(holding);
      }
      if (holding.borrowing)
        totalDebtBase += divideUp(AAVE_V3_6.variableDebtBalance(holding) * holding.price, holding.unit);
    }
    return {
      totalCollateralBase,
      totalDebtBase,
      liquidationThresholdBps: totalCollateralBase === 0n ? 0n : weighted / totalCollateralBase,
      healthFactor: totalDebtBase === 0n ? null : wadDiv(weighted, totalDebtBase) / PERCENTAGE_FACTOR,
    };
  },
};

/** The fields of a reserve's configuration word that matter for risk (ReserveConfiguration of `@aave/core-v3`). */
export interface ReserveParameters {
  ltvBps: bigint;
  liquidationThresholdBps: bigint;
  liquidationBonusBps: bigint;
  decimals: number;
  isActive: boolean;
  isFrozen: boolean;
  isPaused: boolean;
  /** Category of the asset up to revision 3.1; later revisions leave these bits unused. */
  eModeCategory: number;
}

const bits = (word: bigint, from: bigint, count: bigint): bigint => (word >> from) & ((1n << count) - 1n);

/** Reads a reserve's configuration word. */
export function decodeReserveConfiguration(word: bigint): ReserveParameters {
  return {
    ltvBps: bits(word, 0n, 16n),
    liquidationThresholdBps: bits(word, 16n, 16n),
    liquidationBonusBps: bits(word, 32n, 16n),
    decimals: Number(bits(word, 48n, 8n)),
    isActive: bits(word, 56n, 1n) === 1n,
    isFrozen: bits(word, 57n, 1n) === 1n,
    isPaused: bits(word, 60n, 1n) === 1n,
    eModeCategory: Number(bits(word, 168n, 8n)),
  };
}

/** The caps in a reserve's configuration word, in whole tokens. 0: no cap. */
export const decodeReserveCaps = (word: bigint): { borrow: bigint; supply: bigint } => ({
  borrow: bits(word, 80n, 36n),
  supply: bits(word, 116n, 36n),
});

/** Whether a wallet's configuration word marks the reserve of this id as borrowed. */
export function isBorrowing(userConfiguration: bigint, reserveId: number): boolean {
  return bits(userConfiguration, BigInt(reserveId * 2), 1n) === 1n;
}

/** Whether a wallet's configuration word marks the reserve of this id as used for collateral. */
export function isUsingAsCollateral(userConfiguration: bigint, reserveId: number): boolean {
  return bits(userConfiguration, BigInt(reserveId * 2 + 1), 1n) === 1n;
}

/** Aave v2 (0), v3.0 (1) to v3.2 (5); from v3.3 (6) on rounding changes step by step until v3.6 (10). */
const LAST_OF_V3_0 = 5n;
const V3_6 = 10n;

/** The arithmetic of a pool. It is the nearest one if the pool's own is not known to the wei. */
export function arithmeticOf(revision: bigint): AaveV3Arithmetic {
  if (revision === 0n) return AAVE_V2;
  return revision <= LAST_OF_V3_0 ? AAVE_V3_0 : AAVE_V3_6;
}

/** Whether the health factor of a pool of this revision can be recomputed to the wei. */
export function isExactRevision(revision: bigint): boolean {
  return revision <= LAST_OF_V3_0 || revision === V3_6;
}

/** Whether a category lists collateral with which no wallet may enter it. */
export function hasLtvZero(revision: bigint): boolean {
  return revision >= V3_6;
}

/** Whether pools of this revision truncate the average threshold to a basis point. */
export function truncatesThreshold(revision: bigint): boolean {
  return revision <= LAST_OF_V3_0;
}
