import type { Claims } from './signed-identity';
import { VerifiedClaims } from './verified-claims';

const VALID_MS = 40_000;
const CLAIMS = { accountId: 'acc_1', issuedAt: 0 } as Claims;

describe('VerifiedClaims', () => {
  it('finds claims as long as they are valid', () => {
    const verified = new VerifiedClaims(VALID_MS, 100);
    verified.add('first', CLAIMS, 0);
    verified.add('second', CLAIMS, VALID_MS - 1);
    verified.add('third', CLAIMS, 2 * VALID_MS - 2);
    expect(verified.get('second')).toBe(CLAIMS);
    expect(verified.get('third')).toBe(CLAIMS);
  });

  it('has bounded memory over a day of one identity a second', () => {
    const verified = new VerifiedClaims(VALID_MS, 5_000);
    let most = 0;
    for (let second = 0; second < 86_400; second += 1) {
      verified.add(`identity ${second}`, CLAIMS, second * 1_000);
      most = Math.max(most, verified.size);
    }
    expect(most).toBe((2 * VALID_MS) / 1_000);
  });

  it('never has more than twice the most', () => {
    const verified = new VerifiedClaims(VALID_MS, 10);
    for (let at = 0; at < 1_000; at += 1) verified.add(`identity ${at}`, CLAIMS, 0);
    expect(verified.size).toBeLessThanOrEqual(20);
    expect(verified.get('identity 999')).toBe(CLAIMS);
  });

  it('forgets everything of a quiet time, and on request', () => {
    const verified = new VerifiedClaims(VALID_MS, 10);
    verified.add('first', CLAIMS, 0);
    verified.add('second', CLAIMS, 2 * VALID_MS);
    expect([verified.get('first'), verified.size]).toEqual([undefined, 1]);
    verified.clear();
    expect(verified.size).toBe(0);
  });
});
