import { ENDPOINTS } from '@plimsoll/access';
import type { Caller } from '../identity/callers/caller';
import { RequestTally } from './request-tally';

const key = (keyId: string): Caller => ({
  keyId,
  accountId: `account of ${keyId}`,
  tier: 'pro',
  scopes: [],
  expiresAtMs: null,
  authenticatedAt: null,
  isAboveCap: false,
  subject: { id: 'x', offsetMs: 0 },
  figures: { perMinute: 60, perDay: null },
});
const [first = null, second = null] = ENDPOINTS;
const noonMs = Date.parse('2026-11-21T12:00:00Z');
const nextMinuteMs = noonMs + 60_000;
const plain = (tally: RequestTally) =>
  tally.drain().map(({ keyId, minuteMs, lastMs, calls }) => ({ keyId, minuteMs, lastMs, calls: [...calls] }));

describe('RequestTally', () => {
  it('counts by key, endpoint and minute, and keeps the time of the last request', () => {
    const tally = new RequestTally();
    tally.count(key('a'), first, noonMs);
    tally.count(key('a'), first, noonMs + 1);
    tally.count(key('a'), null, noonMs + 2);
    tally.count(key('b'), second, nextMinuteMs);
    tally.count(key('a'), first, nextMinuteMs + 1);
    // Two clocks may disagree about the minute for a moment.
    tally.count(key('a'), first, noonMs + 3);
    expect(plain(tally)).toEqual([
      {
        keyId: 'a',
        minuteMs: noonMs,
        lastMs: noonMs + 3,
        calls: [
          [first, 3],
          [null, 1],
        ],
      },
      { keyId: 'b', minuteMs: nextMinuteMs, lastMs: nextMinuteMs, calls: [[second, 1]] },
      { keyId: 'a', minuteMs: nextMinuteMs, lastMs: nextMinuteMs + 1, calls: [[first, 1]] },
    ]);
  });

  it('returns each request once', () => {
    const tally = new RequestTally();
    tally.count(key('a'), first, noonMs);
    expect(plain(tally)).toHaveLength(1);
    expect(plain(tally)).toEqual([]);
    tally.count(key('a'), first, noonMs);
    expect(plain(tally)).toMatchObject([{ calls: [[first, 1]] }]);
  });
});
