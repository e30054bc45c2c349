import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Tier } from '@plimsoll/contracts';
import type { WebSocket } from 'ws';
import { type Attack, type Check, check, equal } from '../attack';
import { Browser } from '../browser';
import { anyAddress, openStream, send } from '../client';
import type { Target } from '../target';
import { until } from '../until';

const PATH = '/v1/streams/alerts';
const MOST_MS = 1_000;
const WAIT_MS = 15_000;
const KEY_LIFE_MS = 6_000;
/** Close codes of docs/api/streams.md. */
const [TIER, KEY, SESSION] = [4503, 4505, 4506];

/** The end of an account (4507) has no command: test/flows/stream-ends.e2e-spec.ts publishes it. */
export const streams: Attack = {
  item: '6',
  title: 'streams outlive no authorisation',
  limitSeconds: 120,
  async run(target) {
    return [...(await ofSessions(target)), ...(await ofKeys(target))];
  },
};

async function ofSessions(target: Target): Promise<Check[]> {
  const browser = await Browser.signedIn(target);
  await setTier(target, browser, 'enterprise');
  const [leaving, ended] = [await browser.another(), await browser.another()];
  const late = await ticketOf(leaving);
  const [first, second, kept] = [
    await redeem(target, await ticketOf(leaving)),
    await redeem(target, await ticketOf(ended)),
    await redeem(target, await ticketOf(browser)),
  ];
  const used = await ticketOf(browser);
  const another = await redeem(target, used);
  const checks = [
    equal('a used ticket is refused', await redeem(target, used), 401),
    await closes('a log-out', first, SESSION, () => leaving.send('POST', '/account/v1/log-out')),
    equal('a ticket of that session is refused', await redeem(target, late), 401),
    await closes('the end of a session by another', second, SESSION, () => endOther(browser)),
  ];
  const waiting = await ticketOf(browser);
  checks.push(
    ...(await closeTogether('a lower tier', [kept, another], TIER, () => setTier(target, browser, 'pro'))),
    equal('a ticket of the higher tier is refused', await redeem(target, waiting), 403),
  );
  await setTier(target, browser, 'enterprise');
  const again = await browser.another();
  const opened = await redeem(target, await ticketOf(again));
  const change = { currentPassword: browser.password, newPassword: `${browser.password}-2` };
  checks.push(
    await closes('a new password', opened, SESSION, () =>
      browser.send('POST', '/account/v1/password/change', change),
    ),
  );
  return checks;
}

async function ofKeys(target: Target): Promise<Check[]> {
  const account = await target.account('enterprise');
  const ofKey = (key: string) => openStream(target.origin, PATH, { headers: { 'x-api-key': key } });
  const revoked = await ofKey(account.key);
  const ticket = (await send(target.origin, 'POST', '/v1/streams/tickets', { key: account.key })).body[
    'ticket'
  ];
  const checks = [
    await closes('the revocation of a key', revoked, KEY, () =>
      target.admin('keys', 'revoke', '--id', account.keyId),
    ),
    equal('a ticket of that key is refused', await redeem(target, String(ticket)), 401),
  ];
  const browser = await Browser.signedIn(target);
  await setTier(target, browser, 'enterprise');
  const expiresAtMs = Date.now() + KEY_LIFE_MS;
  const made = await browser.send('POST', '/account/v1/keys', {
    name: 'attack',
    expiresAt: new Date(expiresAtMs).toISOString(),
  });
  const { key } = made.body['key'] as { key: string };
  const expiring = await ofKey(key);
  checks.push(
    await closes('the expiry of a key', expiring, KEY, () => delay(Math.max(0, expiresAtMs - Date.now()))),
  );
  return checks;
}

async function endOther(browser: Browser): Promise<void> {
  const { body } = await browser.send('GET', '/account/v1/sessions');
  const sessions = body['sessions'] as { id: string; isCurrent: boolean }[];
  const { id } = sessions.find(({ isCurrent }) => !isCurrent)!;
  await browser.send('DELETE', `/account/v1/sessions/${id}`);
}

/** Returns when the gateway has read the new tier. */
async function setTier({ admin }: Target, browser: Browser, tier: Tier): Promise<void> {
  await admin('accounts', 'set-tier', '--email', browser.email, '--tier', tier);
  await until(`the tier ${tier}`, async () => {
    const { headers } = await browser.send('GET', '/v1/status');
    return headers['x-service-tier'] === tier || undefined;
  });
}

async function ticketOf(browser: Browser): Promise<string> {
  const { status, body } = await browser.send('POST', '/v1/streams/tickets');
  if (status !== 201) throw new Error(`a ticket responded with ${status}`);
  return String(body['ticket']);
}

const redeem = ({ origin }: Target, ticket: string): Promise<WebSocket | number> =>
  openStream(origin, `${PATH}?ticket=${ticket}`, { headers: { 'x-forwarded-for': anyAddress() } });

/** Whether every stream closes after one cause. */
function closeTogether(
  name: string,
  opened: readonly (WebSocket | number)[],
  code: number,
  cause: () => Promise<unknown>,
): Promise<Check[]> {
  const caused = cause();
  return Promise.all(opened.map((stream) => closes(name, stream, code, () => caused)));
}

/** Whether the stream closes with the code and a reason, at most a second after the cause took effect. */
async function closes(
  name: string,
  stream: WebSocket | number,
  code: number,
  cause: () => Promise<unknown>,
): Promise<Check> {
  const title = `${name} closes the stream with ${code}`;
  if (typeof stream === 'number') return check(title, false, `it was refused with ${stream}`);
  const end = once(stream, 'close').then(([received, reason]) => ({
    code: Number(received),
    reason: String(reason),
    atMs: performance.now(),
  }));
  await cause();
  const causedAtMs = performance.now();
  const received = await Promise.race([end, delay(WAIT_MS, null, { ref: false })]);
  if (received === null) return check(title, false, `it is open after ${WAIT_MS / 1_000} s`);
  const ms = Math.max(0, Math.round(received.atMs - causedAtMs));
  const isRight = received.code === code && received.reason !== '' && ms <= MOST_MS;
  return check(title, isRight, `${received.code} ${received.reason} after ${ms} ms`);
}
