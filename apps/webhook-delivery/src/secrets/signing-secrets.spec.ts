import { randomBytes } from 'node:crypto';
import { SecretBox } from '@plimsoll/service-kit';
import { signingSecretsAt, type StoredSecrets } from './signing-secrets';

describe('signingSecretsAt', () => {
  const box = new SecretBox(new Map([['a', randomBytes(32)]]), 'WEBHOOK_SECRET_KEYS', randomBytes);
  const current = box.seal('old', 'wh_1');
  const next = box.seal('new', 'wh_1');
  const stored: StoredSecrets = {
    secretKeyId: current.keyId,
    secretSealed: current.sealed,
    nextSecretKeyId: next.keyId,
    nextSecretSealed: next.sealed,
    secretOverlapEndsAt: new Date(1_000),
  };

  it('returns both until the overlap ends, and then only the next one', () => {
    expect(signingSecretsAt(stored, 'wh_1', box, 999)).toEqual({ current: 'old', next: 'new' });
    expect(signingSecretsAt(stored, 'wh_1', box, 1_000)).toEqual({ current: 'new', next: null });
  });

  it('returns the one secret of an endpoint without a rotation', () => {
    const settled = { ...stored, nextSecretKeyId: null, nextSecretSealed: null, secretOverlapEndsAt: null };
    expect(signingSecretsAt(settled, 'wh_1', box, 0)).toEqual({ current: 'old', next: null });
  });
});
