import {
  admissible,
  dayEndMs,
  type Figures,
  type Subject,
  type Taking,
  type Verdict,
  verdictOn,
  windowEndMs,
} from './verdict';

const MAX_SUBJECTS = 50_000;

interface Window {
  endMs: number;
  used: number;
  dayEndMs: number;
  usedToday: number;
}

/**
 * The limiter of one process while Redis is unavailable. Each of `instances` processes admits its share of a
 * limit, at least one request.
 */
export class LocalLimiter {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly instances: number) {}

  take(subject: Subject, figures: Figures, nowMs: number): Verdict {
    const share = this.share(figures);
    const window = this.window(subject, nowMs);
    const admitted = admissible(1, window.used, window.usedToday, share);
    const taking: Taking = { nowMs, ...window, admitted, windowEndMs: window.endMs };
    window.used += admitted;
    window.usedToday += admitted;
    // The limit stays that of the tier. The remainder is that of this process's share.
    const verdict = verdictOn(0, taking, share);
    return {
      ...verdict,
      limit: figures.perMinute,
      daily: verdict.daily && { limit: figures.perDay ?? 0, remaining: verdict.daily.remaining },
    };
  }

  /** Removes everything, because Redis counts again. */
  clear(): void {
    this.windows.clear();
  }

  private share({ perMinute, perDay }: Figures): Figures {
    const part = (calls: number): number => Math.max(1, Math.floor(calls / this.instances));
    return { perMinute: part(perMinute), perDay: perDay === null ? null : part(perDay) };
  }

  private window(subject: Subject, nowMs: number): Window {
    const endMs = windowEndMs(nowMs, subject.offsetMs);
    const today = dayEndMs(nowMs);
    const window = this.windows.get(subject.id) ?? { endMs, used: 0, dayEndMs: today, usedToday: 0 };
    if (window.endMs !== endMs) Object.assign(window, { endMs, used: 0 });
    if (window.dayEndMs !== today) Object.assign(window, { dayEndMs: today, usedToday: 0 });
    this.windows.set(subject.id, window);
    if (this.windows.size > MAX_SUBJECTS) this.windows.delete(this.windows.keys().next().value ?? '');
    return window;
  }
}
