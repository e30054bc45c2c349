/**
 * Successful first attempts earn the budget for retries, so a failing node never gets a multiple of the
 * normal load. Starts full.
 */
export class RetryBudget {
  private tokens: number;

  /** `perRequest`: share of a retry that every request earns; `capacity`: the largest saved amount. */
  constructor(
    private readonly perRequest = 0.2,
    private readonly capacity = 20,
  ) {
    this.tokens = capacity;
  }

  /** Call once for each request, before its first attempt. */
  earn(): void {
    this.tokens = Math.min(this.capacity, this.tokens + this.perRequest);
  }

  /** Whether one more attempt may be made now. It is subtracted from the budget. */
  spend(): boolean {
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
