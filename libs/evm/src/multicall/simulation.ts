import { decodeFunctionResult, encodeFunctionData, parseAbi, type Address, type Hex } from 'viem';
import type { ChainClient } from '../rpc/chain-client';
import { PinnedCall, type BlockRef, type Transaction } from './pinned-call';
import type { Outcome } from './read-call';

// The calls of aggregate3 are recorded separately. Of these, each sees the effects of the earlier ones.
const abi = parseAbi([
  'struct Call { address target; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function tryAggregate(bool requireSuccess, Call[] calls) returns (Result[] returnData)',
]);

/** Executes calls on the state of a block without sending a transaction. Their sender is Multicall3. */
export class Simulation {
  private readonly pinned: PinnedCall;

  constructor(
    client: ChainClient,
    readonly sender: Address,
  ) {
    this.pinned = new PinnedCall(client);
  }

  /** The outcome of the last call, after the others. @throws ChainReadError when the node executes none of them */
  async inOrder(calls: readonly Transaction[], block: BlockRef): Promise<Outcome<Hex>> {
    const parts = calls.map(({ to, data }) => ({ target: to, callData: data }));
    const data = encodeFunctionData({ abi, functionName: 'tryAggregate', args: [false, parts] });
    const response = await this.pinned.call({ to: this.sender, data }, block);
    const results = decodeFunctionResult({ abi, functionName: 'tryAggregate', data: response });
    const { success, returnData } = results.at(-1)!;
    return success ? { ok: true, value: returnData } : { ok: false, reason: 'reverted' };
  }
}
