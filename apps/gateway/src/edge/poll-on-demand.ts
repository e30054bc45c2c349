/**
 * Repeats a poll for as long as callers read its result. Services would respond to polls all day otherwise, although
 * no caller reads the result.
 */
export class PollOnDemand<T> {
  private latest: Promise<T> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private unread = 0;

  /**
   * @param poll must not reject
   * @param stopAfter polls whose result no caller read
   */
  constructor(
    private readonly poll: () => Promise<T>,
    private readonly intervalMs: number,
    private readonly stopAfter: number,
  ) {}

  /** Returns the result of the last poll. Waits for a poll if there was none of late. */
  result(): Promise<T> {
    this.unread = 0;
    this.timer ??= setInterval(() => void this.tick(), this.intervalMs).unref();
    this.latest ??= this.poll();
    return this.latest;
  }

  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.latest = undefined;
  }

  private async tick(): Promise<void> {
    this.unread += 1;
    if (this.unread > this.stopAfter) return this.close();
    if (this.isPolling) return;
    this.isPolling = true;
    const fresh = await this.poll();
    this.isPolling = false;
    // The polls may have stopped meanwhile.
    if (this.timer) this.latest = Promise.resolve(fresh);
  }
}
