import type { Hex } from 'viem';
import type { Head } from './head';

/** How a new head connects to the chain seen so far. */
export type Placement =
  | { kind: 'known' }
  /** `firstNewBlock` is the lowest number whose block was not seen before; blocks dropped above it are `reorgDepth`. */
  | { kind: 'connected'; firstNewBlock: bigint; reorgDepth: number }
  /** The block of this hash has to be fetched first. */
  | { kind: 'missing'; parentHash: Hex };

/** The last known blocks of one chain. It only finds gaps and reorgs, without I/O. */
export class HeadWindow {
  private readonly byNumber = new Map<bigint, Head>();
  private top: Head | undefined;

  constructor(private readonly size = 256) {}

  /** The newest block. */
  get latest(): Head | undefined {
    return this.top;
  }

  /** Finds where a branch (newest first, each the parent of the one before) connects. Changes nothing. */
  indexOf(branch: readonly Head[]): Placement {
    const newest = branch[0];
    const oldest = branch.at(-1);
    if (!newest || !oldest) return { kind: 'known' };
    if (this.byNumber.get(newest.number)?.hash === newest.hash) return { kind: 'known' };
    const firstNewBlock = oldest.number;
    if (!this.top) return { kind: 'connected', firstNewBlock, reorgDepth: 0 };
    if (this.byNumber.get(oldest.number - 1n)?.hash !== oldest.parentHash) {
      return { kind: 'missing', parentHash: oldest.parentHash };
    }
    const dropped = this.top.number - firstNewBlock + 1n;
    return { kind: 'connected', firstNewBlock, reorgDepth: dropped > 0n ? Number(dropped) : 0 };
  }

  /**
   * Adopts a branch as the chain. It forgets the replaced blocks, and all blocks when the branch does not
   * connect.
   */
  adopt(branch: readonly Head[]): void {
    const newest = branch[0];
    if (!newest) return;
    if (this.indexOf(branch).kind === 'missing') this.byNumber.clear();
    for (const head of branch) this.byNumber.set(head.number, head);
    for (const number of this.byNumber.keys()) {
      if (number > newest.number || number <= newest.number - BigInt(this.size)) this.byNumber.delete(number);
    }
    this.top = newest;
  }
}
