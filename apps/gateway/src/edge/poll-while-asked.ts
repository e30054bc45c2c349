/**
 * Repeats a poll for as long as someone asks for its result. Without it, services that nobody asks about have to
 * respond all day.
 */
export class PollWhileAsked<T> {
  private latest: Promise<T> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private unasked = 0;

  /**
   * @param poll must not reject
   * @param stopAfter polls that nobody asked for
   */
  constructor(
    private readonly poll: () => Promise<T>,
    private readonly intervalMs: number,
    private readonly stopAfter: number,
  ) {}

  /** Returns the result of the last poll. Waits for a poll if there was none of late. */
  result(): Promise<T> {
    this.unasked = 0;
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
    this.unasked += 1;
    if (this.unasked > this.stopAfter) return this.close();
    if (this.isPolling) return;
    this.isPolling = true;
    const fresh = await this.poll();
    this.isPolling = false;
    // The polls may have stopped meanwhile.
    if (this.timer) this.latest = Promise.resolve(fresh);
  }
}
