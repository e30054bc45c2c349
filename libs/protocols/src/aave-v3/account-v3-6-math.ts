import { PERCENTAGE_FACTOR, RAY, wadDiv } from '../fixed-point/math';
import type { AaveV3Arithmetic } from './math';
import { compoundedInterestV36, normalizedDebt, stableDebtBalance } from './interest-math';

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
