import { randomBytes } from 'node:crypto';
import type { Identity } from '@plimsoll/contracts';
import { IdentitySigner, parseIdentityKeys, signIdentity, verifyIdentity } from './signed-identity';

const keys = parseIdentityKeys(
  `new:${randomBytes(32).toString('base64')},old:${randomBytes(32).toString('base64')}`,
);
const [newest, oldest] = keys as [(typeof keys)[0], (typeof keys)[0]];
const identity: Identity = {
  accountId: 'acc_1',
  keyId: 'key_1',
  tier: 'pro',
  scopes: ['positions:read'],
  limits: { wallets: 25, webhooks: 5 },
  requestId: 'r',
  issuedAt: 1_000,
};

describe('the signed identity', () => {
  it('verifies under every active key', () => {
    expect(verifyIdentity(signIdentity(identity, newest), keys, 1_010)).toEqual(identity);
    expect(verifyIdentity(signIdentity(identity, oldest), keys, 1_010)).toEqual(identity);
  });

  it('is rejected after 30 s, from the future, and under an unknown key', () => {
    const header = signIdentity(identity, newest);
    expect(verifyIdentity(header, keys, 1_031)).toBeNull();
    expect(verifyIdentity(header, keys, 969)).toBeNull();
    expect(verifyIdentity(header, [oldest], 1_000)).toBeNull();
  });

  it('is rejected when any part changed', () => {
    const [id, body, signature] = signIdentity(identity, newest).split('.');
    const raised = Buffer.from(JSON.stringify({ ...identity, tier: 'enterprise' })).toString('base64url');
    for (const header of [
      undefined,
      '',
      'x',
      `${id}.${raised}.${signature}`,
      `${id}.${body}.`,
      `old.${body}.${signature}`,
      `${id}.${body}.${signature}.x`,
    ]) {
      expect(verifyIdentity(header, keys, 1_000)).toBeNull();
    }
  });

  it('signs common parts of any length', () => {
    for (const accountId of ['acc_1', 'acc_12', 'acc_123', 'acc_é']) {
      const { requestId, issuedAt, ...caller } = { ...identity, accountId };
      const header = new IdentitySigner(caller, newest).sign(requestId, issuedAt);
      expect(verifyIdentity(header, keys, issuedAt)).toEqual({ ...identity, accountId });
    }
  });
});
