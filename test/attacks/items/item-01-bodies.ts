import { type Attack, check, within } from '../attack';
import { anyAddress, send } from '../client';

const NAMES = 9_990;
const UNKNOWN = Object.fromEntries(Array.from({ length: NAMES }, (_, at) => [`field${at}`, 1]));
const ATTEMPTS = 80;

export const bodies: Attack = {
  item: '1',
  title: 'a request without a key does not block the gateway',
  async run({ origin, account }) {
    const { key } = await account('enterprise');
    const logIn = () => send(origin, 'POST', '/account/v1/log-in', { body: UNKNOWN });
    const alone = await logIn();
    const flood = Promise.all(Array.from({ length: 20 }, logIn));
    const beside: number[] = [];
    for (let at = 0; at < 20; at += 1) beside.push((await send(origin, 'GET', '/v1/status', { key })).ms);
    const statuses = [alone, ...(await flood)].map(({ status }) => status);
    const deep = await send(origin, 'POST', '/v1/simulate/what-if', { key, body: '['.repeat(100_000) });
    const many = await send(origin, 'POST', '/v1/simulate/what-if', { key, body: UNKNOWN });
    const address = anyAddress();
    const limited: number[] = [];
    for (let at = 0; at < ATTEMPTS; at += 1) {
      const body = { email: 'x', password: '' };
      limited.push((await send(origin, 'POST', '/account/v1/log-in', { body, address })).status);
    }
    return [
      check(
        'a log-in with 9,990 unknown fields is rejected',
        statuses.every((each) => [0, 400, 413, 429].includes(each)),
        [...new Set(statuses)],
      ),
      within('the rejection takes little time', alone.ms, 250),
      within('GET /v1/status of another account beside 20 of them', Math.max(...beside), 250),
      check(
        'deep nesting is a 400',
        deep.status === 400 && deep.ms <= 250,
        `${deep.status} in ${Math.round(deep.ms)} ms`,
      ),
      check(
        'unknown fields are a 400',
        many.status === 400 && many.ms <= 250,
        `${many.status} in ${Math.round(many.ms)} ms`,
      ),
      check(
        'invalid log-ins of an address are limited',
        limited.includes(429),
        `429 after ${limited.indexOf(429)}`,
      ),
    ];
  },
};
