const SECOND_MS = 1_000;

/** Admits at most a number of frames in any second. */
export class InboundRate {
  private readonly times: number[] = [];
  private at = 0;

  constructor(private readonly perSecond: number) {}

  /** @param nowMs monotonic time */
  admits(nowMs: number): boolean {
    const earliest = this.times[this.at];
    if (earliest !== undefined && nowMs - earliest < SECOND_MS) return false;
    this.times[this.at] = nowMs;
    this.at = (this.at + 1) % this.perSecond;
    return true;
  }
}
