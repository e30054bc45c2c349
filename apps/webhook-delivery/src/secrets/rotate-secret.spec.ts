import { rotateSecret } from './rotate-secret';
import type { StoredSecrets } from './signing-secrets';

const HOUR_MS = 3_600_000;
const NOW_MS = 1_000_000;
const sealed = (text: string): Uint8Array => Buffer.from(text);
const settled = (text: string): StoredSecrets => ({
  secretKeyId: 'k',
  secretSealed: sealed(text),
  nextSecretKeyId: null,
  nextSecretSealed: null,
  secretOverlapEndsAt: null,
});
const overlapping = (current: string, next: string, endsAtMs: number): StoredSecrets => ({
  ...settled(current),
  nextSecretKeyId: 'k',
  nextSecretSealed: sealed(next),
  secretOverlapEndsAt: new Date(endsAtMs),
});
const fresh = { keyId: 'k', sealed: sealed('fresh') };

describe('rotateSecret', () => {
  it('keeps the secret beside the new one until the overlap ends', () => {
    expect(rotateSecret(settled('old'), fresh, 24, NOW_MS)).toEqual({
      stored: overlapping('old', 'fresh', NOW_MS + 24 * HOUR_MS),
      isNew: true,
    });
  });

  it('replaces the secret immediately with 0 hours', () => {
    expect(rotateSecret(settled('old'), fresh, 0, NOW_MS)).toEqual({ stored: settled('fresh'), isNew: true });
  });

  it('ends a current overlap with 0 hours and creates no third secret', () => {
    const stored = overlapping('old', 'next', NOW_MS + 1);
    expect(rotateSecret(stored, fresh, 0, NOW_MS)).toEqual({ stored: settled('next'), isNew: false });
  });

  it('refuses a second rotation during an overlap', () => {
    expect(rotateSecret(overlapping('old', 'next', NOW_MS + 1), fresh, 24, NOW_MS)).toBeNull();
  });

  it('treats an overlap that has ended as completed', () => {
    const stored = overlapping('old', 'next', NOW_MS);
    expect(rotateSecret(stored, fresh, 1, NOW_MS)).toEqual({
      stored: overlapping('next', 'fresh', NOW_MS + HOUR_MS),
      isNew: true,
    });
    expect(rotateSecret(stored, fresh, 0, NOW_MS)).toEqual({ stored: settled('fresh'), isNew: true });
  });
});
