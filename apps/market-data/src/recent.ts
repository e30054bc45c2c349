/** A value that is read at most once within a time, for any number of callers. */
export class Recent<T> {
  private value: Promise<T> | undefined;
  private readAtMs = 0;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly forMs: number,
  ) {}

  /** @param nowMs monotonic */
  get(nowMs = performance.now()): Promise<T> {
    if (this.value === undefined || nowMs - this.readAtMs > this.forMs) {
      const value = this.read();
      this.value = value;
      this.readAtMs = nowMs;
      // A failure is not cached. The next caller tries again.
      value.catch(() => {
        if (this.value === value) this.value = undefined;
      });
    }
    return this.value;
  }
}
