import { contractOf } from '@plimsoll/evm';
import { readAddresses } from '../aave-v3/layout';
import { aaveVerdicts } from '../aave-v3/verdicts';
import { V2_CALLS } from './layout';

/** The verdicts of a pool of Aave v2, whose functions are those of v3. */
export const aaveV2Verdicts = aaveVerdicts(async (scope) => {
  const provider = contractOf(scope.row, 'addressesProvider');
  return (await readAddresses(scope, provider, V2_CALLS, scope.block)).pool;
});
