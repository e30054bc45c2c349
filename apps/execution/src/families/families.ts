import { aaveV3 } from './aave-v3';
import type { ExecutionFamily } from './execution-family';

/** The families of the registry whose positions can be executed on, by the name that its rows give them. */
export const EXECUTION_FAMILIES: Readonly<Record<string, ExecutionFamily>> = {
  'aave-v3': aaveV3,
};
