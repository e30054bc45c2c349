const FAILURES_TO_PAUSE = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Spares a failing source. After three failures in a row it is read again only after a pause, which doubles
 * with every further failure up to a minute, plus up to half as jitter.
 */
export class SourceBackoff {
  private failures = 0;
  private pausedUntilMs = 0;

  constructor(private readonly random: () => number) {}

  get isPausing(): boolean {
    return this.failures >= FAILURES_TO_PAUSE;
  }

  /** Returns the milliseconds until the source may be read again. 0: now. */
  waitMs(nowMs: number): number {
    return this.isPausing ? Math.max(0, this.pausedUntilMs - nowMs) : 0;
  }

  succeeded(): void {
    this.failures = 0;
  }

  failed(nowMs: number): void {
    this.failures += 1;
    if (!this.isPausing) return;
    const doublings = Math.min(this.failures - FAILURES_TO_PAUSE, 16);
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** doublings);
    this.pausedUntilMs = nowMs + pauseMs * (1 + this.random() / 2);
  }
}
