import { aaveV3 } from './aave-v3';
import { comet } from './comet';
import { compoundLike } from './compound-like';
import type { ExecutionFamily } from './execution-family';
import { morphoBlue } from './morpho-blue';

/** The families of the registry whose positions can be executed on, by the name that its rows give them. */
export const EXECUTION_FAMILIES: Readonly<Record<string, ExecutionFamily>> = {
  'aave-v3': aaveV3,
  comet,
  'compound-v2': compoundLike,
  'morpho-blue': morphoBlue,
  'venus-core': compoundLike,
  'venus-isolated': compoundLike,
};
