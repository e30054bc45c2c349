import type { Address } from 'viem';
import type { CallResults, PlanBuilder } from '../../multicall/plan-builder';
import { readCall } from '../../multicall/read-call';
import { liquityV2Abi as abi } from './abi';

/**
 * Adds the reads of a branch's price (wad, dollars). Null if the feed fails, or, without a feed, the branch.
 */
export function addBranchPrice(
  plan: PlanBuilder,
  troveManager: Address,
  priceFeed: Address | null,
): (answers: CallResults) => bigint | null {
  if (!priceFeed) {
    const slot = plan.add(readCall(troveManager, abi, 'getUnbackedPortionPriceAndRedeemability', []));
    return ({ outcome }) => {
      const answer = outcome(slot);
      return answer.ok ? answer.value[1] : null;
    };
  }
  const slot = plan.add(readCall(priceFeed, abi, 'fetchPrice', []));
  return ({ outcome }) => {
    const answer = outcome(slot);
    return answer.ok ? answer.value[0] : null;
  };
}
