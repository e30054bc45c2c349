import { percentile } from '../../../bench/flow/percentile';
import { type Attack, type Check, check, equal } from '../attack';
import { Browser } from '../browser';
import { anyAddress, send } from '../client';
import type { Target } from '../target';

const GUESSES = 12;
/** More than the 60 a minute that clients without a device cookie have together at one account. */
const DISTRIBUTED_GUESSES = 70;
const TIMED = 15;
/** Noise of the machine in the median of fifteen. An outcome without the work of argon2 takes a tenth. */
const MOST_DIFFERENCE = 2;

const logIn = ({ origin }: Target, email: string, password: string, address = anyAddress()) =>
  send(origin, 'POST', '/account/v1/log-in', { body: { email, password }, address });

export const lockout: Attack = {
  item: '10',
  title: 'wrong guesses do not lock the owner out',
  limitSeconds: 120,
  async run(target) {
    const owner = await Browser.signedIn(target);
    const { email, password } = owner;
    const address = anyAddress();
    const statuses: number[] = [];
    for (let at = 0; at < GUESSES; at += 1) {
      statuses.push((await logIn(target, email, `guess number ${at}`, address)).status);
    }
    const elsewhere = await logIn(target, email, password);
    const same = await logIn(target, email, password, address);
    // The owner shares the address of the client that guesses, and has the cookie of the device.
    const device = await send(target.origin, 'POST', '/account/v1/log-in', {
      body: { email, password },
      address,
      cookie: owner.device,
    });
    for (let at = 0; at < 20; at += 1) {
      await send(target.origin, 'POST', '/account/v1/password/forgot', { body: { email } });
    }
    const forgot = await owner.send('POST', '/account/v1/password/forgot', { email });
    return [
      check(
        'the client that guesses is delayed',
        statuses.includes(429),
        `429 after ${statuses.indexOf(429)}`,
      ),
      equal('the owner logs in from elsewhere', elsewhere.status, 200),
      equal('the guessing client waits also with the right password', same.status, 429),
      equal('a known device logs in from the same address', device.status, 200),
      equal('requests of strangers do not exhaust the mails of the owner', forgot.status, 202),
      ...(await distributed(target, owner)),
      ...(await constantWork(target, email)),
    ];
  },
};

/** Guesses from many addresses. */
async function distributed(target: Target, owner: Browser): Promise<Check[]> {
  if (target.isShort) return [];
  const statuses: number[] = [];
  for (let at = 0; at < DISTRIBUTED_GUESSES; at += 1) {
    statuses.push((await logIn(target, owner.email, `another guess ${at}`)).status);
  }
  const own = await owner.send('POST', '/account/v1/log-in', {
    email: owner.email,
    password: owner.password,
  });
  return [
    check(
      'guesses from many addresses are limited',
      statuses.includes(429),
      `429 after ${statuses.indexOf(429)}`,
    ),
    equal('a known device logs in meanwhile', own.status, 200),
  ];
}

/** An account that exists and one that does not, in turn. */
async function constantWork(target: Target, email: string): Promise<Check[]> {
  const fresh = await Browser.signedIn(target);
  const times: Record<'wrong' | 'unknown', number[]> = { wrong: [], unknown: [] };
  const outcomes = new Set<string>();
  for (let at = 0; at < (target.isShort ? 5 : TIMED); at += 1) {
    const [wrong, unknown] = [
      await logIn(target, fresh.email, `guess number ${at}`),
      await logIn(target, `nobody-${at}-${email}`, `guess number ${at}`),
    ];
    times.wrong.push(wrong.ms);
    times.unknown.push(unknown.ms);
    for (const { status, body } of [wrong, unknown]) outcomes.add(`${status} ${String(body['code'])}`);
  }
  const [wrong, unknown] = [percentile(times.wrong, 0.5), percentile(times.unknown, 0.5)];
  const ratio = Math.max(wrong, unknown) / Math.min(wrong, unknown);
  return [
    equal('an unknown account gets the same response', [...outcomes], ['401 invalid_credentials']),
    check(
      'after the same time',
      ratio <= MOST_DIFFERENCE,
      `median ${Math.round(wrong)} ms with an account, ${Math.round(unknown)} ms without`,
    ),
  ];
}
