import { type CallResults, type PlanBuilder, readCall } from '@plimsoll/evm';
import type { Address } from 'viem';
import { liquityV2Abi as abi } from './abi';

/**
 * Adds the reads of a branch's price (wad, dollars). Null if the feed fails, or, without a feed, the branch.
 */
export function addBranchPrice(
  plan: PlanBuilder,
  troveManager: Address,
  priceFeed: Address | null,
): (results: CallResults) => bigint | null {
  if (!priceFeed) {
    const slot = plan.add(readCall(troveManager, abi, 'getUnbackedPortionPriceAndRedeemability', []));
    return ({ outcome }) => {
      const result = outcome(slot);
      return result.ok ? result.value[1] : null;
    };
  }
  const slot = plan.add(readCall(priceFeed, abi, 'fetchPrice', []));
  return ({ outcome }) => {
    const result = outcome(slot);
    return result.ok ? result.value[0] : null;
  };
}
