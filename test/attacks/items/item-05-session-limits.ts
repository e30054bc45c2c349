import { type Attack, check, equal } from '../attack';
import { Browser } from '../client';

const WINDOW = 60;

export const sessionLimits: Attack = {
  item: '5',
  title: 'sessions do not bypass limits',
  async run(target) {
    const browser = await Browser.signedIn(target);
    const statuses: number[] = [];
    // Two windows, because one may end meanwhile.
    for (let at = 0; at <= 2 * WINDOW; at += 1) {
      const { status } = await browser.send('GET', '/v1/status');
      statuses.push(status);
      if (status === 429) break;
    }
    const usage = await browser.send('GET', '/account/v1/usage');
    return [
      check(
        'an open account has 60 calls of sessions a minute',
        statuses.at(-1) === 429,
        `429 after ${statuses.length - 1}`,
      ),
      equal('its usage is readable', usage.status, 200),
    ];
  },
};
