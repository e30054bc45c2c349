import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { SERVICES } from '@plimsoll/access';
import { CALL_HEADER, IDENTITY_HEADER, SCOPES, newId } from '@plimsoll/contracts';
import { type Attack, type Check, equal } from '../attack';
import { send } from '../client';

const { privateKey } = generateKeyPairSync('ed25519');

/** The content of an identity with every right. */
function payloadOf(keyId: string, accountId: string): string {
  const identity = {
    accountId,
    keyId: newId('key'),
    tier: 'enterprise',
    scopes: SCOPES,
    limits: { wallets: null, webhooks: null },
    audiences: SERVICES,
    requestId: newId('req'),
    issuedAt: Math.floor(Date.now() / 1_000),
  };
  return `${keyId}.${Buffer.from(JSON.stringify(identity)).toString('base64url')}`;
}

/** Signed with a key that the platform does not have. */
function forged(accountId: string): string {
  const payload = payloadOf('gateway-1-0', accountId);
  return `${payload}.${sign(null, Buffer.from(payload), privateKey).toString('base64url')}`;
}

/** In the form that all services could sign with one shared key. */
function formerForged(accountId: string): string {
  const payload = payloadOf('local', accountId);
  return `${payload}.${createHmac('sha256', randomBytes(32)).update(payload).digest('base64url')}`;
}

function forgedProof(): string {
  const seconds = Math.floor(Date.now() / 1_000);
  const process = randomBytes(12).toString('base64url');
  return `gateway-1-0.positions-1-0.${seconds}.${process}.1.${randomBytes(32).toString('base64url')}`;
}

export const identity: Attack = {
  item: '11',
  title: 'no stranger makes an identity',
  limitSeconds: 60,
  async run({ origin, services, account }) {
    const [victim, { key }] = [await account('enterprise'), await account('open')];
    const checks: Check[] = [];
    const { accountId } = victim;
    for (const value of [
      '',
      'local',
      'a.b.c',
      forged(accountId),
      formerForged(accountId),
      `${forged(accountId)}=`,
    ]) {
      for (const proof of ['', 'a.b.c', forgedProof()]) {
        const headers = { [IDENTITY_HEADER]: value, ...(proof !== '' && { [CALL_HEADER]: proof }) };
        const statuses = [];
        for (const { name, url } of services) {
          if (name === 'gateway') continue;
          const { status } = await send(url, 'GET', '/inner/readiness', { headers });
          if (status !== 401) statuses.push([name, status]);
        }
        checks.push(
          equal(
            `services reject '${value.slice(0, 16)}' with the proof '${proof.slice(0, 16)}'`,
            statuses,
            [],
          ),
        );
      }
    }
    const headers = { [IDENTITY_HEADER]: forged(accountId), [CALL_HEADER]: forgedProof() };
    const without = await send(origin, 'GET', '/v1/wallets', { headers });
    checks.push(equal('the gateway needs a key beside a forged identity', without.status, 401));
    const through = await send(origin, 'GET', '/v1/simulate/scenarios', { key, headers });
    checks.push(equal('a forged identity raises no tier', through.headers['x-service-tier'], 'open'));
    return checks;
  },
};
