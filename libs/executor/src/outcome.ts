import { decodeErrorResult, isHex, parseEventLogs, type Address, type Hex, type Log } from 'viem';
import { executorAbi } from './generated/executor';
import { STRATEGIES, type Strategy } from './policy';

/**
 * The outcome of a run. Amounts are in units of the debt, `sold` and `returnedCollateral` in units of the
 * collateral.
 */
export interface RunOutcome {
  policyId: Hex;
  policyHash: Hex;
  nonce: bigint;
  owner: Address;
  keeper: Address;
  strategy: Strategy;
  repaid: bigint;
  sold: bigint;
  flashFee: bigint;
  returnedDebt: bigint;
  returnedCollateral: bigint;
  /** Scaled by 1e18. */
  healthFactorBefore: bigint;
  healthFactorAfter: bigint;
}

/**
 * The runs in a transaction's logs, in their order.
 * @param executor the contract whose logs count, because any contract can emit an identical event
 */
export function runOutcomes(executor: Address, logs: readonly Log[]): RunOutcome[] {
  return parseEventLogs({ abi: executorAbi, eventName: 'Executed', logs: ofContract(executor, logs) }).map(
    ({ args }) => ({
      policyId: args.id,
      policyHash: args.policyHash,
      nonce: args.nonce,
      owner: args.owner,
      keeper: args.keeper,
      strategy: STRATEGIES[args.strategy]!,
      ...args.outcome,
    }),
  );
}

/** The policy changes in logs, in their order; see `runOutcomes`. */
export function policyChanges(executor: Address, logs: readonly Log[]) {
  return parseEventLogs({
    abi: executorAbi,
    eventName: ['PolicySet', 'PolicyRevoked', 'PolicySpent'],
    logs: ofContract(executor, logs),
  });
}

/** The reason of a rejected run: the name of the error and its arguments. */
export interface Refusal {
  name: string;
  args: readonly unknown[];
}

/** Decodes the data of a revert. Undefined when it is not one of the executor's errors. */
export function refusalOf(data: Hex): Refusal | undefined {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: executorAbi, data });
    return { name: errorName, args };
  } catch {
    return undefined;
  }
}

/** The revert data of an RPC error, as viem wraps it. Undefined when it has none. */
export function revertDataOf(error: unknown): Hex | undefined {
  for (let each: unknown = error; each instanceof Object; each = Reflect.get(each, 'cause')) {
    const data: unknown = Reflect.get(each, 'data');
    const inner: unknown = data instanceof Object ? Reflect.get(data, 'data') : data;
    if (isHex(inner)) return inner;
  }
  return undefined;
}

function ofContract(executor: Address, logs: readonly Log[]): Log[] {
  return logs.filter(({ address }) => address.toLowerCase() === executor.toLowerCase());
}
