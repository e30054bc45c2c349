import { createHmac, randomBytes } from 'node:crypto';
import { IDENTITY_HEADER, SCOPES, newId } from '@plimsoll/contracts';
import { type Attack, type Check, equal } from '../attack';
import { send } from '../client';

/** An identity with every right and the signature of a key that the platform does not have. */
function forged(accountId: string): string {
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
  const signature = createHmac('sha256', randomBytes(32)).update(`local.${json}`).digest('base64url');
  return `local.${json}.${signature}`;
}

export const identity: Attack = {
  item: '11',
  title: 'no stranger makes an identity',
  async run({ origin, services, account }) {
    const [victim, { key }] = [await account('enterprise'), await account('open')];
    const checks: Check[] = [];
    for (const value of ['', 'local', 'a.b.c', forged(victim.accountId), `${forged(victim.accountId)}=`]) {
      const headers = { [IDENTITY_HEADER]: value };
      const statuses = [];
      for (const { name, url } of services) {
        if (name === 'gateway') continue;
        const { status } = await send(url, 'GET', '/inner/readiness', { headers });
        if (status !== 401) statuses.push([name, status]);
      }
      checks.push(equal(`services reject ${JSON.stringify(value.slice(0, 16))}`, statuses, []));
    }
    const headers = { [IDENTITY_HEADER]: forged(victim.accountId) };
    const without = await send(origin, 'GET', '/v1/wallets', { headers });
    checks.push(equal('the gateway needs a key beside a forged identity', without.status, 401));
    const through = await send(origin, 'GET', '/v1/simulate/scenarios', { key, headers });
    checks.push(equal('a forged identity raises no tier', through.headers['x-service-tier'], 'open'));
    return checks;
  },
};
