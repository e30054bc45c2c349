import { DenyCache } from './deny-cache';
import type { Verdict } from './verdict';

const subject = { id: 'account:1', offsetMs: 0 };
const figures = { perMinute: 10, perDay: 1_000 };
const verdict: Verdict = {
  admitted: false,
  exceeded: 'minute',
  limit: 10,
  remaining: 0,
  resetMs: 1_000_000,
  nowMs: 990_000,
  daily: { limit: 1_000, remaining: 3 },
};

describe('DenyCache', () => {
  it('repeats a refusal until its reset and no longer', () => {
    const cache = new DenyCache();
    cache.add(subject, figures, verdict, 500);
    expect(cache.get(subject, figures, 10_499)).toEqual({ ...verdict, nowMs: 999_999 });
    expect(cache.get(subject, figures, 10_500)).toBeUndefined();
  });

  it("removes it when the account's limits change", () => {
    const cache = new DenyCache();
    cache.add(subject, figures, verdict, 500);
    expect(cache.get(subject, { perMinute: 60, perDay: 1_000 }, 501)).toBeUndefined();
  });
});
