const WINDOW_MS = 300_000;
const FIRST_WAIT_MS = 250;

/** The budget for restarts of a process that keeps ending: five in five minutes, each after twice the delay. */
export class RestartBudget {
  static readonly LIMIT = 5;
  private startsMs: number[] = [];

  /**
   * The wait before the next start, or undefined when the budget is exhausted. `nowMs` is of a monotonic
   * clock.
   */
  next(nowMs: number): number | undefined {
    this.startsMs = this.startsMs.filter((startMs) => nowMs - startMs < WINDOW_MS);
    if (this.startsMs.length >= RestartBudget.LIMIT) return undefined;
    const waitMs = FIRST_WAIT_MS * 2 ** this.startsMs.length;
    this.startsMs.push(nowMs);
    return waitMs;
  }
}
