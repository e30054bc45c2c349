import { aaveActivity } from '../aave-v3/activity';
import { V2_CALLS } from './layout';

export const aaveV2Activity = aaveActivity(V2_CALLS);
