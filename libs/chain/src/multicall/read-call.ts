import {
  decodeFunctionResult,
  encodeFunctionData,
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type Hex,
} from 'viem';

/** One call of a view function, encoded, with the way to read its answer. */
export interface ReadCall<T> {
  target: Address;
  data: Hex;
  /** @throws when the answer does not have the function's shape */
  decode: (answer: Hex) => T;
}

/** What became of one call: its value, or that it failed. A failed call is never taken for an empty answer. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; reason: 'reverted' | 'undecodable' };

/** Calls that belong together and the one answer made of theirs; several plans can travel in one multicall. */
export interface ReadPlan<T> {
  calls: readonly ReadCall<unknown>[];
  /** Gets one outcome for each call, in order. */
  assemble: (outcomes: readonly Outcome<unknown>[]) => T;
}

/** Encodes a call of a view function. */
export function readCall<const A extends Abi, N extends ContractFunctionName<A, 'view' | 'pure'>>(
  target: Address,
  abi: A,
  functionName: N,
  args: ContractFunctionArgs<A, 'view' | 'pure', N>,
): ReadCall<ContractFunctionReturnType<A, 'view' | 'pure', N>> {
  type Returned = ContractFunctionReturnType<A, 'view' | 'pure', N>;
  const call = { abi, functionName, args } as Parameters<typeof encodeFunctionData>[0];
  const answer = { abi, functionName } as Omit<Parameters<typeof decodeFunctionResult>[0], 'data'>;
  return {
    target,
    data: encodeFunctionData(call),
    decode: (data) => decodeFunctionResult({ ...answer, data }) as Returned,
  };
}

/** Two plans as one, so that both are read in the same multicall. */
export function both<A, B>(first: ReadPlan<A>, second: ReadPlan<B>): ReadPlan<[A, B]> {
  const split = first.calls.length;
  return {
    calls: [...first.calls, ...second.calls],
    assemble: (outcomes) => [
      first.assemble(outcomes.slice(0, split)),
      second.assemble(outcomes.slice(split)),
    ],
  };
}
