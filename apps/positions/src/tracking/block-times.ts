/** A received block. */
export interface ReceivedBlock {
  number: number;
  /** Unix seconds. */
  timestamp: number;
}

/** Block timestamps are whole seconds: over a minute or more their mean is exact enough. */
const WINDOW_SECONDS = 600;
const MAX_BLOCKS = 1_000;

/** Measures the block time of a chain. */
export class BlockTimes {
  private seen: ReceivedBlock[] = [];

  /** Adds the newest block. A lower number or time restarts the measurement. */
  add(block: ReceivedBlock): void {
    const last = this.seen.at(-1);
    if (last?.number === block.number) return;
    if (last && (block.number < last.number || block.timestamp < last.timestamp)) this.seen = [];
    this.seen.push(block);
    const oldest = block.timestamp - WINDOW_SECONDS;
    this.seen = this.seen.filter(({ timestamp }) => timestamp >= oldest).slice(-MAX_BLOCKS);
  }

  /** Seconds a block over the last ten minutes. Null before two blocks. */
  get averageSeconds(): number | null {
    const [first, last] = [this.seen[0], this.seen.at(-1)];
    if (!first || !last || first.number === last.number) return null;
    return (last.timestamp - first.timestamp) / (last.number - first.number);
  }
}
