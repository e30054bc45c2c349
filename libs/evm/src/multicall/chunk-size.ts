/**
 * The number of calls in one eth_call. It halves when a node rejects a chunk, and grows back slowly, because
 * nodes have different gas and size limits and do not state them.
 */
export class ChunkSize {
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
