import { recomputeAaveV2 } from './aave-v2/receipt-math';
import { recomputeAaveV3 } from './aave-v3/receipt-math';
import { recomputeAaveV4 } from './aave-v4/receipt-math';
import { recomputeComet } from './comet/receipt-math';
import { recomputeCompoundV2, recomputeVenusCore, recomputeVenusIsolated } from './compound-v2/receipt-math';
import { recomputeDolomite } from './dolomite/receipt-math';
import { recomputeEulerV2 } from './euler-v2/receipt-math';
import { recomputeFluid } from './fluid/receipt-math';
import { recomputeFraxlend } from './fraxlend/receipt-math';
import { recomputeLiquityV1 } from './liquity-v1/receipt-math';
import { recomputeLiquityV2 } from './liquity-v2/receipt-math';
import { recomputeLlamma, recomputeLlammaMint, recomputeLlammaSecond } from './llamma/receipt-math';
import { recomputeMaker } from './maker/receipt-math';
import { recomputeMorphoBlue } from './morpho-blue/receipt-math';
import type { Formula } from './receipt-math';
import { recomputeSiloV2 } from './silo-v2/receipt-math';

/** The published formulas of the families, by version. */
export const FORMULAS: Readonly<Record<string, Readonly<Record<number, Formula>>>> = {
  'aave-v2': { 1: recomputeAaveV2 },
  'aave-v3': { 1: recomputeAaveV3 },
  'aave-v4': { 1: recomputeAaveV4 },
  comet: { 1: recomputeComet },
  'compound-v2': { 1: recomputeCompoundV2 },
  dolomite: { 1: recomputeDolomite },
  'euler-v2': { 1: recomputeEulerV2 },
  fluid: { 1: recomputeFluid },
  fraxlend: { 1: recomputeFraxlend },
  'liquity-v1': { 1: recomputeLiquityV1 },
  'liquity-v2': { 1: recomputeLiquityV2 },
  llamma: { 1: recomputeLlamma },
  'llamma-mint': { 1: recomputeLlammaMint },
  'llamma-second': { 1: recomputeLlammaSecond },
  maker: { 1: recomputeMaker },
  'morpho-blue': { 1: recomputeMorphoBlue },
  'silo-v2': { 1: recomputeSiloV2 },
  'venus-core': { 1: recomputeVenusCore },
  'venus-isolated': { 1: recomputeVenusIsolated },
};
