import { aaveV3Verdicts } from './aave-v3/verdicts';
import { cometVerdicts } from './comet/verdicts';
import { compoundV2Verdicts } from './compound-v2/verdicts';
import type { ReadVerdicts } from './verdicts/verdict';

/** The families whose contracts' verdicts can be read, by their name in the registry. */
const VERDICTS: Readonly<Partial<Record<string, ReadVerdicts>>> = {
  'aave-v3': aaveV3Verdicts,
  comet: cometVerdicts,
  'compound-v2': compoundV2Verdicts,
};

/** Reads what the contracts of a family state of positions. Undefined if the family has none. */
export function verdictsOf(family: string): ReadVerdicts | undefined {
  return VERDICTS[family];
}
