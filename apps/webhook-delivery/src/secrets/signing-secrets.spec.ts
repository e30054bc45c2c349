import { randomBytes } from 'node:crypto';
import { SecretBox } from '@plimsoll/service-kit';
import { signingSecretsAt, type StoredSecrets } from './signing-secrets';

describe('signingSecretsAt', () => {
  const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
  const box = new SecretBox(`${key('a')},${key('b')}`, 'WEBHOOK_SECRET_KEYS', randomBytes);
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
