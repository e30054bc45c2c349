import {
  type Figures,
  type Subject,
  type Taking,
  type Verdict,
  admissible,
  dayEndMs,
  minuteOf,
  verdictOn,
  windowEndMs,
} from './verdict';

const MAX_SUBJECTS = 50_000;

interface Window {
  endMs: number;
  used: number;
}

/**
 * The limiter of one process while Redis is unavailable. Each of `instances` processes admits its share of a
 * limit, at least one request.
 */
export class LocalLimiter {
  private readonly minutes = new Map<string, Window>();
  private readonly days = new Map<string, Window>();

  constructor(private readonly instances: number) {}

  take(subject: Subject, figures: Figures, nowMs: number): Verdict {
    const share = this.share(figures);
    const minute = windowOf(this.minutes, minuteOf(subject), windowEndMs(nowMs, subject.offsetMs));
    const day = windowOf(this.days, subject.id, dayEndMs(nowMs));
    const admitted = admissible(1, minute.used, day.used, share);
    const taking: Taking = {
      nowMs,
      used: minute.used,
      usedToday: day.used,
      admitted,
      windowEndMs: minute.endMs,
    };
    minute.used += admitted;
    day.used += admitted;
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
    this.minutes.clear();
    this.days.clear();
  }

  private share({ perMinute, perDay }: Figures): Figures {
    const part = (calls: number): number => Math.max(1, Math.floor(calls / this.instances));
    return { perMinute: part(perMinute), perDay: perDay === null ? null : part(perDay) };
  }
}

/** Returns the current window of a name, which is a new one when it ends at another time. */
function windowOf(windows: Map<string, Window>, name: string, endMs: number): Window {
  const known = windows.get(name);
  if (known?.endMs === endMs) return known;
  const window = { endMs, used: 0 };
  windows.set(name, window);
  if (windows.size > MAX_SUBJECTS) windows.delete(windows.keys().next().value ?? '');
  return window;
}
