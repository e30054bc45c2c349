import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { IDENTITY_HEADER, SCOPES, newId } from '@plimsoll/contracts';
import { type Attack, type Check, equal } from '../attack';
import { send } from '../client';

const OWN_KEY = generateKeyPairSync('ed25519').privateKey;
const OWN_SECRET = randomBytes(32);

/** Headers with an identity of every right, by a key that the platform does not have. */
function forgeries(accountId: string): [string, Record<string, string>][] {
  const identity = {
    accountId,
    keyId: newId('key'),
    tier: 'enterprise',
    scopes: SCOPES,
    limits: { wallets: null, webhooks: null },
    requestId: newId('req'),
    issuedAt: Math.floor(Date.now() / 1_000),
  };
  const json = Buffer.from(JSON.stringify(identity)).toString('base64url');
  const text = `local.${json}`;
  const hmac = createHmac('sha256', OWN_SECRET).update(text).digest('base64url');
  const signature = sign(null, Buffer.from(text), OWN_KEY).toString('base64url');
  const call = `gateway.${Math.floor(Date.now() / 1_000)}.${randomBytes(9).toString('base64url')}.${hmac}`;
  const of = (value: string): Record<string, string> => ({
    [IDENTITY_HEADER]: value,
    'x-plimsoll-call': call,
  });
  return [
    ['nothing', {}],
    ['an empty identity', of('')],
    ['one word', of('local')],
    ['four parts', of('a.b.c.d')],
    ['no signature', of(`${text}.`)],
    ['a MAC of another secret', of(`${text}.${hmac}`)],
    ['a signature of another key', of(`${text}.${signature}`)],
    ['a signature with padding', of(`${text}.${signature}=`)],
    ['no algorithm', of(`none.${json}.`)],
    ['an inherited key name', of(`__proto__.${json}.${signature}`)],
    ['a header of 8 KiB', of(`${text}.${'A'.repeat(8_000)}`)],
  ];
}

/** Rotation, the proof of each request and the calls between services have tests with genuine keys: see README.md. */
export const identity: Attack = {
  item: '11',
  title: 'no stranger makes an identity',
  limitSeconds: 60,
  async run({ origin, services, account }) {
    const [victim, { key }] = [await account('enterprise'), await account('open')];
    const checks: Check[] = [];
    for (const [name, headers] of forgeries(victim.accountId)) {
      const admitted: unknown[] = [];
      for (const service of services) {
        if (service.name === 'gateway') continue;
        const { status } = await send(service.url, 'GET', '/inner/readiness', { headers });
        if (status !== 401) admitted.push([service.name, status]);
      }
      checks.push(equal(`every service rejects ${name}`, admitted, []));
      const without = await send(origin, 'GET', '/v1/wallets', { headers });
      checks.push(equal(`the gateway needs a key beside ${name}`, without.status, 401));
    }
    const [, headers] = forgeries(victim.accountId)[6]!;
    const through = await send(origin, 'GET', '/v1/simulate/scenarios', { key, headers });
    checks.push(equal('a forged identity raises no tier', through.headers['x-service-tier'], 'open'));
    const upper = { 'X-PLIMSOLL-IDENTITY': headers[IDENTITY_HEADER] ?? '', x_plimsoll_identity: 'a' };
    const wallets = await send(origin, 'GET', '/v1/positions', { key, headers: upper });
    checks.push(equal('nor does one in capitals', wallets.headers['x-service-tier'], 'open'));
    return checks;
  },
};
