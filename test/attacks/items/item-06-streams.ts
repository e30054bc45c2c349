import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { type Attack, type Check, check, equal } from '../attack';
import { Browser, anyAddress, openStream, send } from '../client';
import type { Target } from '../target';

const PATH = '/v1/streams/alerts';
const MOST_MS = 1_000;
const WAIT_MS = 5_000;

export const streams: Attack = {
  item: '6',
  title: 'streams outlive no authorisation',
  async run(target) {
    const browser = await Browser.signedIn(target);
    await target.admin('accounts', 'set-tier', '--email', browser.email, '--tier', 'enterprise');
    const other = await browser.another();
    const tickets = [await ticketOf(other), await ticketOf(other), await ticketOf(browser)];
    const [ofOther, ofBrowser] = [await redeem(target, tickets[0]!), await redeem(target, tickets[2]!)];
    const account = await target.account('enterprise');
    const ofKey = await openStream(target.origin, PATH, { headers: { 'x-api-key': account.key } });
    const late = (await send(target.origin, 'POST', '/v1/streams/tickets', { key: account.key })).body[
      'ticket'
    ];
    const revoke = () => target.admin('keys', 'revoke', '--id', account.keyId);
    const downgrade = () => target.admin('accounts', 'set-tier', '--email', browser.email, '--tier', 'pro');
    return [
      await closes('a log-out', ofOther, 4506, () => other.send('POST', '/account/v1/log-out')),
      equal('a ticket of that session is refused', await redeem(target, tickets[1]!), 401),
      await closes('the revocation of a key', ofKey, 4505, revoke),
      equal('a ticket of that key is refused', await redeem(target, String(late)), 401),
      await closes('a lower tier', ofBrowser, 4503, downgrade),
      equal('a used ticket is refused', await redeem(target, tickets[0]!), 401),
    ];
  },
};

async function ticketOf(browser: Browser): Promise<string> {
  // The gateway reads the higher tier within a second.
  for (let at = 0; at < 50; at += 1) {
    const { status, body } = await browser.send('POST', '/v1/streams/tickets');
    if (status === 201) return String(body['ticket']);
    await delay(100);
  }
  throw new Error('no ticket within five seconds');
}

const redeem = ({ origin }: Target, ticket: string): Promise<WebSocket | number> =>
  openStream(origin, `${PATH}?ticket=${ticket}`, { headers: { 'x-forwarded-for': anyAddress() } });

/** Whether the stream closes with the code, a second after the cause took effect. */
async function closes(
  name: string,
  stream: WebSocket | number,
  code: number,
  cause: () => Promise<unknown>,
): Promise<Check> {
  if (typeof stream === 'number')
    return check(`${name} closes the stream`, false, `it was refused with ${stream}`);
  const closed = once(stream, 'close').then(([received]) => ({
    code: Number(received),
    atMs: performance.now(),
  }));
  const caused = cause().then(() => performance.now());
  const late = delay(WAIT_MS, null, { ref: false });
  const [causedAtMs, end] = [await caused, await Promise.race([closed, late])];
  if (end === null) return check(`${name} closes the stream`, false, 'it is open');
  const ms = Math.max(0, Math.round(end.atMs - causedAtMs));
  return check(`${name} closes the stream`, end.code === code && ms <= MOST_MS, `${end.code} after ${ms} ms`);
}
