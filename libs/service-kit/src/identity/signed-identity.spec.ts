import { generateKeyPairSync, sign as signText } from 'node:crypto';
import {
  type Claims,
  isRecentlyIssued,
  serviceClaims,
  signIdentity,
  verifySignature,
} from './signed-identity';

const keyOf = (id: string, service: string) => ({ id, service, ...generateKeyPairSync('ed25519') });
const keys = [keyOf('g1', 'gateway'), keyOf('g2', 'gateway'), keyOf('a1', 'alerts')];
const find = (id: string) => {
  const key = keys.find((each) => each.id === id);
  return key && { service: key.service, signing: key.publicKey };
};
const sign = (claims: Claims, at: number): string =>
  signIdentity(claims, { id: keys[at]!.id, signing: keys[at]!.privateKey });

const claims: Claims = {
  accountId: 'acc_1',
  keyId: 'key_1',
  tier: 'pro',
  scopes: ['positions:read'],
  limits: { wallets: 25, webhooks: 5 },
  audiences: ['positions'],
  issuedAt: 1_000,
};

describe('the signed identity', () => {
  it('verifies under every key of the gateway', () => {
    expect(verifySignature(sign(claims, 0), find)).toEqual(claims);
    expect(verifySignature(sign(claims, 1), find)).toEqual(claims);
  });

  it('is rejected when any part changed, or under an unknown key', () => {
    const [id, body, signature] = sign(claims, 0).split('.');
    const raised = Buffer.from(JSON.stringify({ ...claims, tier: 'enterprise' })).toString('base64url');
    for (const token of [
      '',
      'x',
      `${id}.${raised}.${signature}`,
      `${id}.${body}.`,
      `g2.${body}.${signature}`,
      `g3.${body}.${signature}`,
      `${id}.${body}.${signature}.x`,
    ]) {
      expect(verifySignature(token, find)).toBeNull();
    }
  });

  it('of a service is its own account with its own rights, whatever it claims', () => {
    const own = serviceClaims('alerts', ['positions'], 1_000_000);
    expect(verifySignature(sign(own, 2), find)).toEqual(own);
    expect(verifySignature(sign({ ...own, scopes: ['wallets:write'] }, 2), find)).toEqual(own);
    expect(verifySignature(sign({ ...own, accountId: 'acc_1' }, 2), find)).toBeNull();
  });

  it('is rejected when a service signs something else than claims', () => {
    const key = keys[2]!;
    for (const content of ['', 'null', '[]', '{', JSON.stringify({ ...claims, audiences: 'positions' })]) {
      const payload = `${key.id}.${Buffer.from(content).toString('base64url')}`;
      const signature = signText(null, Buffer.from(payload), key.privateKey).toString('base64url');
      expect(verifySignature(`${payload}.${signature}`, find)).toBeNull();
    }
  });

  it('is recent for 30 s after its issue, and 5 s before it where clocks differ', () => {
    expect([994, 995, 1_030, 1_031].map((seconds) => isRecentlyIssued(1_000, seconds * 1_000))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
