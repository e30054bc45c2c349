import type { Address, Hex } from 'viem';
import { ChainReadError } from '../rpc/chain-read-error';
import type { ChainClient } from '../rpc/chain-client';
import { decodeAggregate3, encodeAggregate3, type Aggregate3Result } from './aggregate3';
import { PinnedCall, type BlockRef } from './pinned-call';
import type { Outcome, ReadCall, ReadPlan } from './read-call';

/**
 * The number of calls in one eth_call. It halves when a node rejects a chunk, and grows back slowly, because
 * nodes have different gas and size limits and do not state them.
 */
class ChunkSize {
  private size: number;

  constructor(
    readonly max = 1_000,
    readonly min = 8,
  ) {
    this.size = max;
  }

  get current(): number {
    return this.size;
  }

  /** A chunk succeeded. */
  grow(): void {
    this.size = Math.min(this.max, this.size + Math.max(1, this.size >> 3));
  }

  /** A chunk was rejected. Returns false when chunks cannot get smaller. */
  shrink(): boolean {
    if (this.size <= this.min) return false;
    this.size = Math.max(this.min, this.size >> 1);
    return true;
  }
}

const DEADLINE_MS = 20_000;

/** Calls that wait to be sent together, all at one block. */
interface Batch {
  block: BlockRef;
  reads: { calls: readonly ReadCall<unknown>[]; settle: (outcomes: Promise<Outcome<unknown>[]>) => void }[];
}

/**
 * Reads many view functions of one chain in one eth_call, all at the same block. Plans of the same turn of
 * the event loop are sent together, so twenty protocols need as many requests as one.
 */
export class Multicall {
  private readonly pinned: PinnedCall;
  private readonly chunk = new ChunkSize();
  private readonly waiting = new Map<string, Batch>();

  constructor(
    private readonly client: ChainClient,
    readonly multicall3: Address,
  ) {
    this.pinned = new PinnedCall(client);
  }

  /**
   * Runs a plan at one block. Calls that revert are marked as reverted and do not affect the others.
   * @throws ChainReadError when the multicall itself fails or the block is no longer in the chain
   */
  async read<T>(plan: ReadPlan<T>, block: BlockRef): Promise<T> {
    const outcomes = await new Promise<Outcome<unknown>[]>((settle) => {
      const batch = this.waiting.get(block.hash) ?? this.openBatch(block);
      batch.reads.push({ calls: plan.calls, settle });
    });
    return plan.assemble(outcomes);
  }

  private openBatch(block: BlockRef): Batch {
    const batch: Batch = { block, reads: [] };
    this.waiting.set(block.hash, batch);
    setImmediate(() => {
      this.waiting.delete(block.hash);
      void this.send(batch);
    });
    return batch;
  }

  /** A node may reject a batch because of one plan in it. Each plan is then sent separately. */
  private async send({ block, reads }: Batch): Promise<void> {
    try {
      const outcomes = await this.readAll(
        reads.flatMap(({ calls }) => calls),
        block,
      );
      let from = 0;
      for (const { calls, settle } of reads)
        settle(Promise.resolve(outcomes.slice(from, (from += calls.length))));
    } catch (error) {
      const isWorthSplitting = reads.length > 1 && isRejected(error);
      for (const { calls, settle } of reads)
        settle(isWorthSplitting ? this.readAll(calls, block) : Promise.reject(error as Error));
    }
  }

  private async readAll(calls: readonly ReadCall<unknown>[], block: BlockRef): Promise<Outcome<unknown>[]> {
    const outcomes: Outcome<unknown>[] = [];
    const deadline = Date.now() + DEADLINE_MS;
    while (outcomes.length < calls.length) {
      const chunk = calls.slice(outcomes.length, outcomes.length + this.chunk.current);
      try {
        outcomes.push(...(await this.aggregate(chunk, block)));
        this.chunk.grow();
      } catch (error) {
        if (!isRejected(error) || chunk.length === 1 || Date.now() > deadline || !this.chunk.shrink())
          throw error;
      }
    }
    return outcomes;
  }

  private async aggregate(calls: readonly ReadCall<unknown>[], block: BlockRef): Promise<Outcome<unknown>[]> {
    const data = encodeAggregate3(calls);
    const response = await this.pinned.call({ to: this.multicall3, data }, block);
    const results = this.decode(response);
    return calls.map((call, index) => outcomeOf(call, results[index]));
  }

  private decode(response: Hex): Aggregate3Result[] {
    try {
      return decodeAggregate3(response);
    } catch (cause) {
      const { chainId } = this.client;
      const message = `no Multicall3 at ${this.multicall3} on chain ${chainId}: correct the registry or its overlay`;
      throw new ChainReadError('unknown_layout', chainId, message, { cause });
    }
  }
}

export function outcomeOf(call: ReadCall<unknown>, result: Aggregate3Result | undefined): Outcome<unknown> {
  if (!result?.success) return { ok: false, reason: 'reverted' };
  try {
    return { ok: true, value: call.decode(result.returnData) };
  } catch {
    return { ok: false, reason: 'undecodable' };
  }
}

function isRejected(error: unknown): boolean {
  return error instanceof ChainReadError && error.code === 'rpc_rejected';
}
