/**
 * Retries are paid from what successful first tries put in, so that a dying node never sees a multiple of the normal
 * load. Starts full.
 */
export class RetryBudget {
  private tokens: number;

  /** `perRequest`: share of a retry that every request earns; `capacity`: the most that can be saved up. */
  constructor(
    private readonly perRequest = 0.2,
    private readonly capacity = 20,
  ) {
    this.tokens = capacity;
  }

  /** Call once for each request, before its first try. */
  earn(): void {
    this.tokens = Math.min(this.capacity, this.tokens + this.perRequest);
  }

  /** Whether one more try may be made now; takes it out of the budget. */
  spend(): boolean {
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
