import type { BlockRef } from '@plimsoll/evm';

/**
 * Time after which a block is skipped for a newer one. It bounds how far a slow node can delay the newest
 * block.
 */
export const MOST_WAIT_MS = 1_000;
const MOST_WAITING = 64;

/** A block, and when it was received (performance.now()). */
export interface SeenHead {
  block: BlockRef;
  seenAtMs: number;
}

/**
 * The blocks of one chain that are yet to be processed. Each is processed, because a position may fall below
 * 1 in one block and recover in the next one. Only a block that waited too long is skipped.
 */
export class WaitingHeads {
  private waiting: SeenHead[] = [];

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** @param blocks oldest first */
  add(blocks: readonly BlockRef[], seenAtMs: number): void {
    this.waiting = [...this.waiting, ...blocks.map((block) => ({ block, seenAtMs }))].slice(-MOST_WAITING);
  }

  /** A reorg removed the blocks. */
  clear(): void {
    this.waiting = [];
  }

  /** Removes and returns the next block: the oldest that may still be processed, or the newest. */
  take(nowMs: number): SeenHead | null {
    const first = this.waiting.findIndex(({ seenAtMs }) => nowMs - seenAtMs <= MOST_WAIT_MS);
    const at = first < 0 ? this.waiting.length - 1 : first;
    const next = this.waiting[at] ?? null;
    this.waiting = this.waiting.slice(at + 1);
    return next;
  }
}
