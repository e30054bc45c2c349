import { decodeFunctionResult, encodeFunctionData, parseAbi, type Address, type Hex } from 'viem';
import type { Transaction } from './pinned-call';
import type { Outcome, ReadCall } from './read-call';

// The calls of aggregate3 are recorded separately. Of these, each sees the effects of the earlier ones.
const abi = parseAbi([
  'struct Call { address target; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function tryAggregate(bool requireSuccess, Call[] calls) returns (Result[] returnData)',
]);

/**
 * Calls that see the effects of each other, as one call of Multicall3, which is their sender. Its value is the outcome
 * of the last. An accrual of interest before a view that reads stored balances is such a sequence. In a multicall its
 * effects last for the calls after it.
 */
export function inOrderCall(multicall3: Address, calls: readonly Transaction[]): ReadCall<Outcome<Hex>> {
  const parts = calls.map(({ to, data }) => ({ target: to, callData: data }));
  return {
    target: multicall3,
    data: encodeFunctionData({ abi, functionName: 'tryAggregate', args: [false, parts] }),
    decode: (response) => {
      const results = decodeFunctionResult({ abi, functionName: 'tryAggregate', data: response });
      const { success, returnData } = results.at(-1)!;
      return success ? { ok: true, value: returnData } : { ok: false, reason: 'reverted' };
    },
  };
}

/**
 * A view that is read after other calls, such as accruals of interest where it takes stored balances, as one call of
 * Multicall3. It has the value of the view.
 */
export function callAfter<T>(
  multicall3: Address,
  before: readonly Transaction[],
  view: ReadCall<T>,
): ReadCall<T> {
  const { decode, ...call } = inOrderCall(multicall3, [...before, { to: view.target, data: view.data }]);
  return {
    ...call,
    decode: (response) => {
      const last = decode(response);
      if (last.ok) return view.decode(last.value);
      throw new Error(`${view.target} reverted`);
    },
  };
}
