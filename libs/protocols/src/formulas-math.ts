import { recomputeAaveV3 } from './aave-v3/receipt-math';
import { recomputeComet } from './comet/receipt-math';
import { recomputeMorphoBlue } from './morpho-blue/receipt-math';
import type { Formula } from './receipt-math';

/** The published formulas of the families, by version. */
export const FORMULAS: Readonly<Record<string, Readonly<Record<number, Formula>>>> = {
  'aave-v3': { 1: recomputeAaveV3 },
  comet: { 1: recomputeComet },
  'morpho-blue': { 1: recomputeMorphoBlue },
};
