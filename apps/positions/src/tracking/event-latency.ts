const WINDOW_MS = 60_000;
/** Blocks of a fast chain within a minute. */
const MOST_BLOCKS = 600;
const PERCENTILE = 0.95;

/** How long the blocks of the last minute took, from their timestamp to the commit of their events. */
export class EventLatency {
  private blocks: { atMs: number; latencyMs: number }[] = [];

  /**
   * Adds a block whose events are committed now.
   * @param timestamp of the block, Unix seconds
   */
  add(timestamp: number, nowMs: number): void {
    // A clock of the chain that is ahead of ours is no negative time.
    this.blocks.push({ atMs: nowMs, latencyMs: Math.max(0, nowMs - timestamp * 1_000) });
    this.blocks = this.recent(nowMs).slice(-MOST_BLOCKS);
  }

  /** Null without a block in the last minute. */
  of(nowMs: number): { blocks: number; p95Ms: number } | null {
    const sorted = this.recent(nowMs)
      .map(({ latencyMs }) => latencyMs)
      .sort((a, b) => a - b);
    const p95Ms = sorted[Math.ceil(PERCENTILE * sorted.length) - 1];
    return p95Ms === undefined ? null : { blocks: sorted.length, p95Ms };
  }

  private recent(nowMs: number): { atMs: number; latencyMs: number }[] {
    return this.blocks.filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
  }
}
