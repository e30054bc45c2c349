import type { FormulaResult } from '../receipt-math';
import type { RawPosition } from './raw-position';

/** Returns the figures of a position as a formula computes them. */
export function figuresOf(position: RawPosition): FormulaResult {
  return {
    legs: position.legs.map((leg) => ({
      asset: BigInt(leg.address),
      side: leg.side,
      amount: leg.amountRaw,
      decimals: leg.decimals,
      price: leg.priceRaw,
      priceDecimals: leg.priceDecimals,
      oracle: BigInt(leg.oracle),
      liquidationThresholdBps: leg.liquidationThresholdBps,
      usedAsCollateral: leg.usedAsCollateral,
    })),
    totalCollateral: position.totalCollateralRaw,
    totalDebt: position.totalDebtRaw,
    healthFactor: position.healthFactorRaw,
  };
}
