import { encodeFunctionData, type Hex } from 'viem';
import { executorAbi } from './generated/executor';
import { strategyIndex, type Policy, type Strategy } from './policy';

/** A keeper's request to the executor. It contains no limit: those are in the policy, on chain. */
export interface Run {
  policyId: Hex;
  /** The version of the policy for which the run was made (`stateOf`). */
  policyHash: Hex;
  /** `runs` of the policy's state: the executor accepts each number once. */
  nonce: bigint;
  strategy: Strategy;
  /** Units of the debt. */
  repayAmount: bigint;
  /** Units of the collateral; 0 with repay_debt. */
  sellAmount: bigint;
  /** Seconds since the epoch; at most an hour after the block's. */
  deadline: bigint;
  /** In the format of the policy's swap port. */
  route: Hex;
}

/** Data of the keeper's one transaction. */
export function encodeExecute(run: Run): Hex {
  return encodeFunctionData({
    abi: executorAbi,
    functionName: 'execute',
    args: [{ ...run, strategy: strategyIndex(run.strategy) }],
  });
}

/** Data of the transaction by which a user writes its policy. */
export function encodeSetPolicy(policy: Policy): Hex {
  return encodeFunctionData({ abi: executorAbi, functionName: 'setPolicy', args: [policy] });
}

/** Data of the transaction by which a user ends its policy. */
export function encodeRevokePolicy(id: Hex): Hex {
  return encodeFunctionData({ abi: executorAbi, functionName: 'revokePolicy', args: [id] });
}
