import { aaveV2Verdicts } from './aave-v2/verdicts';
import { aaveV3Verdicts } from './aave-v3/verdicts';
import { aaveV4Verdicts } from './aave-v4/verdicts';
import { cometVerdicts } from './comet/verdicts';
import { compoundV2Verdicts } from './compound-v2/verdicts';
import { dolomiteVerdicts } from './dolomite/verdicts';
import { eulerV2Verdicts } from './euler-v2/verdicts';
import { fluidVerdicts } from './fluid/verdicts';
import { fraxlendVerdicts } from './fraxlend/verdicts';
import { liquityV1Verdicts } from './liquity-v1/verdicts';
import { liquityV2Verdicts } from './liquity-v2/verdicts';
import { llammaVerdicts } from './llamma/verdicts';
import { makerVerdicts } from './maker/verdicts';
import { morphoBlueVerdicts } from './morpho-blue/verdicts';
import { siloV2Verdicts } from './silo-v2/verdicts';
import type { ReadVerdicts } from './verdicts/verdict';

/** The families whose contracts' verdicts can be read, by their name in the registry. */
const VERDICTS: Readonly<Partial<Record<string, ReadVerdicts>>> = {
  'aave-v2': aaveV2Verdicts,
  'aave-v3': aaveV3Verdicts,
  'aave-v4': aaveV4Verdicts,
  comet: cometVerdicts,
  'compound-v2': compoundV2Verdicts,
  dolomite: dolomiteVerdicts,
  'euler-v2': eulerV2Verdicts,
  fluid: fluidVerdicts,
  fraxlend: fraxlendVerdicts,
  'liquity-v1': liquityV1Verdicts,
  'liquity-v2': liquityV2Verdicts,
  llamma: llammaVerdicts,
  'llamma-mint': llammaVerdicts,
  'llamma-second': llammaVerdicts,
  maker: makerVerdicts,
  'morpho-blue': morphoBlueVerdicts,
  'silo-v2': siloV2Verdicts,
  'venus-core': compoundV2Verdicts,
  'venus-isolated': compoundV2Verdicts,
};

/** Reads what the contracts of a family state of positions. Undefined if the family has none. */
export function verdictsOf(family: string): ReadVerdicts | undefined {
  return VERDICTS[family];
}
