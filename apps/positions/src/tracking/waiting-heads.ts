import type { BlockRef } from '@plimsoll/evm';

/**
 * Time after which blocks are skipped for the newest one. It bounds how far a slow node can delay the newest
 * block.
 */
export const MOST_WAIT_MS = 5_000;
const MOST_WAITING = 64;

/** A block, and when it was received (performance.now()). */
export interface SeenHead {
  block: BlockRef;
  seenAtMs: number;
}

/** Whether a block is still processed although there are newer ones. */
export function isRecent({ seenAtMs }: SeenHead, nowMs: number): boolean {
  return nowMs - seenAtMs <= MOST_WAIT_MS;
}

/**
 * The blocks of one chain that are yet to be processed. Each is processed, because a position may fall below
 * 1 in one block and recover in the next one. Only when the oldest has waited too long are all but the newest
 * skipped: a node that is slower than its chain would otherwise delay every block by the longest wait.
 */
export class WaitingHeads {
  /** The number of blocks that were skipped. */
  skipped = 0;
  private waiting: SeenHead[] = [];

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** @param blocks oldest first */
  add(blocks: readonly BlockRef[], seenAtMs: number): void {
    this.waiting.push(...blocks.map((block) => ({ block, seenAtMs })));
    this.keep(MOST_WAITING);
  }

  /** A reorg removed the blocks. */
  clear(): void {
    this.waiting = [];
  }

  /** Removes and returns the next block. */
  take(nowMs: number): SeenHead | null {
    const [oldest] = this.waiting;
    if (oldest && !isRecent(oldest, nowMs)) this.keep(1);
    return this.waiting.shift() ?? null;
  }

  private keep(most: number): void {
    const surplus = Math.max(0, this.waiting.length - most);
    this.waiting.splice(0, surplus);
    this.skipped += surplus;
  }
}
