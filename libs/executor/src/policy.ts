import { encodeAbiParameters, keccak256, type Address, type ContractFunctionArgs, type Hex } from 'viem';
import { executorAbi } from './generated/executor';

/** Policy of contracts/src/IExecutor.sol, which explains every field. */
export type Policy = ContractFunctionArgs<typeof executorAbi, 'nonpayable', 'setPolicy'>[0];

/** The strategies of the API, at their index in the contract. */
export const STRATEGIES = ['repay_debt', 'sell_collateral', 'flash_loan_unwind'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** The contract's number of a strategy (enum Strategy). */
export function strategyIndex(strategy: Strategy): number {
  return STRATEGIES.indexOf(strategy);
}

/** The field `strategies` of a policy: a bit for each strategy. */
export function strategyMask(strategies: readonly Strategy[]): number {
  return strategies.reduce((mask, strategy) => mask | (1 << strategyIndex(strategy)), 0);
}

/** The strategies that the field `strategies` of a policy names. */
export function strategiesOf(mask: number): Strategy[] {
  return STRATEGIES.filter((_, index) => (mask & (1 << index)) !== 0);
}

/** The fields that identify a policy. The others may change under the same id. */
export type PolicySubject = Pick<Policy, 'market' | 'marketId' | 'collateral' | 'debt'>;

const ID_PARAMETERS = [
  { type: 'address' },
  { type: 'address' },
  { type: 'bytes32' },
  { type: 'address' },
  { type: 'address' },
] as const;

/** The id under which the executor stores `owner`'s policy; `policyId` of the contract. */
export function policyIdOf(owner: Address, subject: PolicySubject): Hex {
  const { market, marketId, collateral, debt } = subject;
  return keccak256(encodeAbiParameters(ID_PARAMETERS, [owner, market, marketId, collateral, debt]));
}

const POLICY_PARAMETER = setPolicyInput();

/** The hash of one version of a policy on one executor. A run contains it. */
export function policyHashOf(
  place: { chainId: number; executor: Address },
  owner: Address,
  version: bigint,
  policy: Policy,
): Hex {
  const parameters = [
    { type: 'uint256' },
    { type: 'address' },
    { type: 'bytes32' },
    { type: 'uint64' },
    POLICY_PARAMETER,
  ] as const;
  const id = policyIdOf(owner, policy);
  return keccak256(
    encodeAbiParameters(parameters, [BigInt(place.chainId), place.executor, id, version, policy]),
  );
}

function setPolicyInput() {
  type Entry = Extract<(typeof executorAbi)[number], { type: 'function'; name: 'setPolicy' }>;
  const entry = executorAbi.find(
    (each): each is Entry => each.type === 'function' && each.name === 'setPolicy',
  );
  return entry!.inputs[0];
}
