import { verdictOn } from '../../limits/verdict';
import { rateLimit, rateLimitPolicy } from './response-headers';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const taking = { nowMs: NOON_MS, used: 9, usedToday: 99, admitted: 1, windowEndMs: NOON_MS + 29_001 };
const figures = { perMinute: 60, perDay: 1_000 };

describe('RateLimit and RateLimit-Policy', () => {
  it('name both windows, with whole seconds rounded up', () => {
    const verdict = verdictOn(0, taking, figures);
    expect(rateLimitPolicy(verdict)).toBe('"minute";q=60;w=60, "day";q=1000;w=86400');
    expect(rateLimit(verdict)).toBe('"minute";r=50;t=30, "day";r=900;t=43200');
  });

  it('name only the minute without a daily limit', () => {
    const verdict = verdictOn(0, taking, { ...figures, perDay: null });
    expect([rateLimitPolicy(verdict), rateLimit(verdict)]).toEqual([
      '"minute";q=60;w=60',
      '"minute";r=50;t=30',
    ]);
  });

  it('name only the day when the day is used up', () => {
    const verdict = verdictOn(0, { ...taking, usedToday: 1_000, admitted: 0 }, figures);
    expect(rateLimit(verdict)).toBe('"day";r=0;t=43200');
  });
});
