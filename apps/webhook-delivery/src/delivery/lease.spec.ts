import { LEASE_MS, emptiedLeases, releaseLeases, newLease, outlastsAttempt } from './lease';

const NOW_MS = 1_000_000;

describe('a lease', () => {
  it('outlasts an attempt that begins within its first seconds', () => {
    const lease = newLease(NOW_MS);
    expect(lease.endsAtMs).toBe(NOW_MS + LEASE_MS);
    expect(outlastsAttempt(lease, NOW_MS + 3_000)).toBe(true);
    expect(outlastsAttempt(lease, NOW_MS + 3_001)).toBe(false);
  });

  it('ends with the last delivery that it holds', () => {
    const [one, two] = [newLease(NOW_MS), newLease(NOW_MS)];
    one.held = 3;
    two.held = 1;
    expect(emptiedLeases([one, one])).toEqual([]);
    expect(emptiedLeases([one, two])).toEqual([two.id]);
    releaseLeases([one, two]);
    expect(emptiedLeases([one])).toEqual([]);
    expect(emptiedLeases([one, one])).toEqual([one.id]);
    expect(emptiedLeases([])).toEqual([]);
  });
});
