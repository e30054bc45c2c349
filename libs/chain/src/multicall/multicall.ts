import type { Address, Hex } from 'viem';
import { ChainReadError } from '../rpc/chain-read-error';
import type { ChainClient } from '../rpc/chain-client';
import { decodeAggregate3, encodeAggregate3, type Aggregate3Result } from './aggregate3';
import { ChunkSize } from './chunk-size';
import { PinnedCall, type BlockRef } from './pinned-call';
import type { Outcome, ReadCall, ReadPlan } from './read-call';

const DEADLINE_MS = 20_000;

/** Reads many view functions of one chain in one eth_call, all at the same block. */
export class Multicall {
  private readonly pinned: PinnedCall;
  private readonly chunk = new ChunkSize();

  constructor(
    private readonly client: ChainClient,
    private readonly multicall3: Address,
  ) {
    this.pinned = new PinnedCall(client);
  }

  /**
   * Runs a plan at one block. Calls that revert come back as such; the rest is not touched by them.
   * @throws ChainReadError when the multicall itself fails or the block is gone
   */
  async read<T>(plan: ReadPlan<T>, block: BlockRef): Promise<T> {
    const outcomes: Outcome<unknown>[] = [];
    const deadline = Date.now() + DEADLINE_MS;
    while (outcomes.length < plan.calls.length) {
      const calls = plan.calls.slice(outcomes.length, outcomes.length + this.chunk.current);
      try {
        outcomes.push(...(await this.aggregate(calls, block)));
        this.chunk.grow();
      } catch (error) {
        const refused = error instanceof ChainReadError && error.code === 'rpc_rejected';
        if (!refused || calls.length === 1 || Date.now() > deadline || !this.chunk.shrink()) throw error;
      }
    }
    return plan.assemble(outcomes);
  }

  private async aggregate(calls: readonly ReadCall<unknown>[], block: BlockRef): Promise<Outcome<unknown>[]> {
    const data = encodeAggregate3(calls);
    const answer = await this.pinned.call({ to: this.multicall3, data }, block);
    const results = this.decode(answer);
    return calls.map((call, index) => outcomeOf(call, results[index]));
  }

  private decode(answer: Hex): Aggregate3Result[] {
    try {
      return decodeAggregate3(answer);
    } catch (cause) {
      const { chainId } = this.client;
      const message = `no Multicall3 at ${this.multicall3} on chain ${chainId}: correct the registry or its overlay`;
      throw new ChainReadError('unknown_layout', chainId, message, { cause });
    }
  }
}

function outcomeOf(call: ReadCall<unknown>, result: Aggregate3Result | undefined): Outcome<unknown> {
  if (!result?.success) return { ok: false, reason: 'reverted' };
  try {
    return { ok: true, value: call.decode(result.returnData) };
  } catch {
    return { ok: false, reason: 'undecodable' };
  }
}
