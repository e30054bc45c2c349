const SECOND_MS = 1_000;

/** Admits at most so many frames in any second. */
export class InboundRate {
  private readonly times: number[] = [];
  private at = 0;

  constructor(private readonly perSecond: number) {}

  /** @param nowMs of a clock that never goes back */
  admits(nowMs: number): boolean {
    const earliest = this.times[this.at];
    if (earliest !== undefined && nowMs - earliest < SECOND_MS) return false;
    this.times[this.at] = nowMs;
    this.at = (this.at + 1) % this.perSecond;
    return true;
  }
}
