import { type Figures, type Subject, type Verdict, minuteOf } from './verdict';

const MAX_SUBJECTS = 50_000;

interface Denial {
  verdict: Verdict;
  perMinute: number;
  perDay: number | null;
  /** By this process's monotonic clock. */
  untilMs: number;
}

/**
 * A full window stays full until its reset. Refusals are repeated from here without Redis and remain exact.
 */
export class DenyCache {
  private readonly denials = new Map<string, Denial>();

  /** @param nowMs monotonic */
  get(subject: Subject, figures: Figures, nowMs: number): Verdict | undefined {
    const denial = this.denials.get(minuteOf(subject));
    if (!denial) return undefined;
    const isStale =
      nowMs >= denial.untilMs || denial.perMinute !== figures.perMinute || denial.perDay !== figures.perDay;
    if (!isStale) return { ...denial.verdict, nowMs: denial.verdict.resetMs - (denial.untilMs - nowMs) };
    this.denials.delete(minuteOf(subject));
    return undefined;
  }

  /** @param askedAtMs monotonic time before the request to Redis: a refusal may end early, but never late */
  add(subject: Subject, figures: Figures, verdict: Verdict, askedAtMs: number): void {
    const untilMs = askedAtMs + verdict.resetMs - verdict.nowMs;
    this.denials.set(minuteOf(subject), { verdict, ...figures, untilMs });
    if (this.denials.size > MAX_SUBJECTS) this.denials.delete(this.denials.keys().next().value ?? '');
  }
}
