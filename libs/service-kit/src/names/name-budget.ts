import { Problem } from '@plimsoll/contracts';

/** Names of an account that are read in a minute. */
export const NAMES_A_MINUTE = 60;
const MINUTE_MS = 60_000;
const MOST_ACCOUNTS = 10_000;

/** Limits the names that each account reads in a minute. */
export class NameBudget {
  private readonly windows = new Map<string, { startMs: number; spent: number }>();

  /** @param mostOf the names of an account in a minute */
  constructor(private readonly mostOf: (accountId: string) => number = () => NAMES_A_MINUTE) {}

  /** Takes one name. @throws rate_limited */
  take(accountId: string, nowMs: number): void {
    const known = this.windows.get(accountId);
    const window = known && nowMs - known.startMs < MINUTE_MS ? known : { startMs: nowMs, spent: 0 };
    const most = this.mostOf(accountId);
    if (window.spent >= most) throw exhausted(most, window.startMs + MINUTE_MS - nowMs);
    window.spent += 1;
    // The newest window is last, so the first one ends first.
    if (window !== known) {
      this.windows.delete(accountId);
      this.windows.set(accountId, window);
      const [oldest] = this.windows.keys();
      if (this.windows.size > MOST_ACCOUNTS && oldest !== undefined) this.windows.delete(oldest);
    }
  }
}

function exhausted(most: number, waitMs: number): Problem {
  const seconds = Math.ceil(waitMs / 1_000);
  return new Problem(
    'rate_limited',
    `The account looked up ${most} names in a minute. Send addresses, or wait ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}
