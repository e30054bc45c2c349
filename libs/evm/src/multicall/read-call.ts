import {
  decodeAbiParameters,
  encodeAbiParameters,
  getAbiItem,
  toFunctionSelector,
  type Abi,
  type AbiFunction,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type Hex,
} from 'viem';

/** One encoded call of a view function, with a decoder for its result. */
export interface ReadCall<T> {
  target: Address;
  data: Hex;
  /** @throws when the result does not have the function's shape */
  decode: (result: Hex) => T;
}

/**
 * The outcome of one call: its value, or the reason of its failure. A failed call never counts as an empty
 * result.
 */
export type Outcome<T> = { ok: true; value: T } | { ok: false; reason: 'reverted' | 'undecodable' };

/** A group of calls and a function that combines their results. Several plans can share one multicall. */
export interface ReadPlan<T> {
  calls: readonly ReadCall<unknown>[];
  /** Combines the outcomes, one for each call, in order. */
  assemble: (outcomes: readonly Outcome<unknown>[]) => T;
}

/** Encodes a call of a view function. */
export function readCall<const A extends Abi, N extends ContractFunctionName<A, 'view' | 'pure'>>(
  target: Address,
  abi: A,
  functionName: N,
  args: ContractFunctionArgs<A, 'view' | 'pure', N>,
): ReadCall<ContractFunctionReturnType<A, 'view' | 'pure', N>> {
  const { selector, inputs, outputs } = prepared(abi, functionName);
  const parameters =
    (args as readonly unknown[]).length === 0
      ? '0x'
      : encodeAbiParameters(inputs, args as readonly unknown[]);
  return {
    target,
    data: `${selector}${parameters.slice(2)}`,
    decode: (data) => {
      const values = decodeAbiParameters(outputs, data) as readonly unknown[];
      return (outputs.length === 1 ? values[0] : values) as ContractFunctionReturnType<A, 'view' | 'pure', N>;
    },
  };
}

interface PreparedFunction extends Pick<AbiFunction, 'inputs' | 'outputs'> {
  selector: Hex;
}
const preparedByAbi = new WeakMap<Abi, Map<string, PreparedFunction>>();

/** Selectors are hashes: made once for each function, since the same one is called for every wallet of every block. */
function prepared(abi: Abi, functionName: string): PreparedFunction {
  const byName = preparedByAbi.get(abi) ?? new Map<string, PreparedFunction>();
  preparedByAbi.set(abi, byName);
  const known = byName.get(functionName);
  if (known) return known;
  const item = getAbiItem({ abi, name: functionName }) as AbiFunction;
  const made = { selector: toFunctionSelector(item), inputs: item.inputs, outputs: item.outputs };
  byName.set(functionName, made);
  return made;
}

/** Combines two plans, so that the same multicall reads both. */
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
