/**
 * How many calls go into one eth_call: falls by half when a node refuses, and grows back slowly, since nodes differ in
 * their gas and size limits and do not say what these are.
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

  /** A chunk went through. */
  grow(): void {
    this.size = Math.min(this.max, this.size + Math.max(1, this.size >> 3));
  }

  /** A chunk was refused; false when chunks cannot get smaller. */
  shrink(): boolean {
    if (this.size <= this.min) return false;
    this.size = Math.max(this.min, this.size >> 1);
    return true;
  }
}
