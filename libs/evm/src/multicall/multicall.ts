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

  /** A chunk of this length was rejected. */
  shrink(length: number): void {
    this.size = Math.max(this.min, Math.min(this.size, length) >> 1);
  }

  /** One call was the reason of all rejections since the size was this one. */
  restore(size: number): void {
    this.size = Math.max(this.size, size);
  }
}

/** Calls with which a node rejected every chunk, until some time: alone they failed, or are sent alone. */
class CostlyCalls {
  private readonly known = new Map<string, { until: number; isFailed: boolean }>();

  /** Undefined: it is sent together with others. */
  kindOf(call: ReadCall<unknown>): 'failed' | 'alone' | undefined {
    const known = this.known.size > 0 ? this.known.get(keyOf(call)) : undefined;
    if (!known || known.until <= Date.now()) return undefined;
    return known.isFailed ? 'failed' : 'alone';
  }

  add(call: ReadCall<unknown>, isFailed: boolean): void {
    const key = keyOf(call);
    this.known.delete(key);
    this.known.set(key, { until: Date.now() + COSTLY_MS, isFailed });
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_COSTLY && oldest !== undefined) this.known.delete(oldest);
  }
}

function keyOf({ target, data }: ReadCall<unknown>): string {
  return `${target} ${data}`;
}

const DEADLINE_MS = 20_000;
/** The time for which a costly call that failed is not sent again, and another one is sent alone. */
const COSTLY_MS = 120_000;
const MAX_COSTLY = 1_000;
/** Multicall3.getBlockNumber(). */
const GET_BLOCK_NUMBER = '0x42cbb15c';
const FAILED: Outcome<unknown> = { ok: false, reason: 'reverted' };

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
  private readonly costly = new CostlyCalls();
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
    const kinds = calls.map((call) => this.costly.kindOf(call));
    const together = await this.readTogether(
      calls.filter((_, index) => kinds[index] === undefined),
      block,
    );
    const outcomes = together.values();
    const read: Outcome<unknown>[] = [];
    for (const [index, kind] of kinds.entries())
      if (kind === undefined) read.push(outcomes.next().value!);
      else if (kind === 'failed') read.push(FAILED);
      else read.push(...(await this.readTogether([calls[index]!], block)));
    return read;
  }

  /**
   * Any account can create a contract that uses up the gas of an eth_call, where a protocol calls what its users name, such as
   * an oracle. A rejected chunk is halved down to single calls, so that such a call affects no other.
   */
  private async readTogether(
    calls: readonly ReadCall<unknown>[],
    block: BlockRef,
  ): Promise<Outcome<unknown>[]> {
    const outcomes: Outcome<unknown>[] = [];
    const deadline = Date.now() + DEADLINE_MS;
    const sizeBefore = this.chunk.current;
    /** The length of chunks below the least size, while the call is searched for with which a node rejects them. */
    let searched = Infinity;
    /** The last call that succeeded alone. It was too much for its chunk if the chunk after it succeeds too. */
    let suspect: ReadCall<unknown> | null = null;
    const found = (call: ReadCall<unknown>, isFailed: boolean): void => {
      this.costly.add(call, isFailed);
      this.chunk.restore(sizeBefore);
      [searched, suspect] = [Infinity, null];
    };
    while (outcomes.length < calls.length) {
      const chunk = calls.slice(outcomes.length, outcomes.length + Math.min(this.chunk.current, searched));
      try {
        const read = await this.aggregate(chunk, block);
        outcomes.push(...read);
        this.chunk.grow();
        const isAlone = searched === 1;
        searched = searched * 2 < this.chunk.min ? searched * 2 : Infinity;
        if (isAlone && !read[0]!.ok) found(chunk[0]!, true);
        else if (suspect) found(suspect, false);
        else if (isAlone) suspect = chunk[0]!;
      } catch (error) {
        if (!isRejected(error) || Date.now() > deadline) throw error;
        suspect = null;
        if (chunk.length > 1) {
          this.chunk.shrink(chunk.length);
          if (chunk.length <= this.chunk.min) searched = chunk.length >> 1;
          continue;
        }
        // A contract can return too much for the request too. A node that rejects everything is another case.
        if (!(await this.accepts(block))) throw error;
        outcomes.push(FAILED);
        found(chunk[0]!, true);
      }
    }
    if (suspect) found(suspect, false);
    return outcomes;
  }

  /** Whether the node makes a call that needs little at the block. */
  private async accepts(block: BlockRef): Promise<boolean> {
    const data = encodeAggregate3([{ target: this.multicall3, data: GET_BLOCK_NUMBER }]);
    try {
      await this.pinned.call({ to: this.multicall3, data }, block);
      return true;
    } catch (error) {
      if (isRejected(error)) return false;
      throw error;
    }
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
