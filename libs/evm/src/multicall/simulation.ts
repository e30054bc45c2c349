import type { Address, Hex } from 'viem';
import type { ChainClient } from '../rpc/chain-client';
import { inOrderCall } from './in-order';
import { PinnedCall, type BlockRef, type Transaction } from './pinned-call';
import type { Outcome } from './read-call';

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
    const { target, data, decode } = inOrderCall(this.sender, calls);
    return decode(await this.pinned.call({ to: target, data }, block));
  }
}
