import { type Attack, type Check, check, equal } from '../attack';
import { Browser } from '../browser';
import { send } from '../client';
import type { Target } from '../target';
import { until } from '../until';

const WINDOWS = { open: 60, pro: 120, business: 300, enterprise: 1_000 } as const;
const A_DAY = 1_000;
/** On a busy machine Redis may be late, and the gateway then counts by itself for a moment. */
const MOST_ATTEMPTS = 3;

export const sessionLimits: Attack = {
  item: '5',
  title: 'sessions do not bypass limits',
  limitSeconds: 90,
  async run(target) {
    for (let attempt = 1; ; attempt += 1) {
      const checks = await ofOpenTier(target);
      if (attempt < MOST_ATTEMPTS && !checks.every(({ ok }) => ok)) continue;
      return target.isShort ? checks : [...checks, ...(await higherTiers(target))];
    }
  },
};

async function ofOpenTier(target: Target): Promise<Check[]> {
  const browser = await Browser.signedIn(target);
  const other = await browser.another();
  const made = await browser.send('POST', '/account/v1/keys', { name: 'attack' });
  const { key } = (made.body['key'] ?? {}) as { key?: string };
  // The sessions of an account share one window. It may end meanwhile.
  const admitted: Record<string, number> = {};
  let last = await browser.send('GET', '/v1/status');
  const [first, limit] = [last, last.headers['x-ratelimit-limit']];
  let calls = 0;
  for (; calls <= 2 * WINDOWS.open && last.status !== 429; calls += 1) {
    const end = last.headers['x-ratelimit-reset'] ?? '';
    admitted[end] = (admitted[end] ?? 0) + 1;
    last = await (calls % 2 === 0 ? other : browser).send('GET', '/v1/status');
  }
  const withKey = await send(target.origin, 'GET', '/v1/status', { key });
  const remaining = Number(withKey.headers['x-dailylimit-remaining']);
  const reported = await until('the calls in the report', async () => {
    const { body } = await browser.send('GET', '/account/v1/usage');
    const endpoints = (body['endpoints'] ?? []) as { endpoint: string; calls: number }[];
    const count = endpoints.find(({ endpoint }) => endpoint === 'GET /v1/status')?.calls ?? 0;
    return count > calls ? count : undefined;
  }).catch(() => 0);
  return [
    equal('an open account has 60 calls of sessions a minute', limit, '60'),
    equal('then 429', [last.status, last.body['code']], [429, 'rate_limited']),
    check(
      'no window admits more',
      Object.values(admitted).every((count) => count <= WINDOWS.open),
      admitted,
    ),
    equal('the window of the keys is another one', withKey.status, 200),
    equal('calls of sessions and keys share the day', A_DAY - remaining, calls + 1),
    equal('they appear in the usage', reported, calls + 1),
    equal('the quota of the day is that of the tier', first.headers['x-dailylimit-limit'], String(A_DAY)),
  ];
}

async function higherTiers(target: Target): Promise<Check[]> {
  const browser = await Browser.signedIn(target);
  const checks: Check[] = [];
  for (const tier of ['pro', 'business', 'enterprise'] as const) {
    await target.admin('accounts', 'set-tier', '--email', browser.email, '--tier', tier);
    const limit = await until(`the tier ${tier}`, async () => {
      const { headers } = await browser.send('GET', '/v1/status');
      return headers['x-service-tier'] === tier ? headers['x-ratelimit-limit'] : undefined;
    });
    checks.push(equal(`sessions of ${tier}`, limit, String(WINDOWS[tier])));
  }
  return checks;
}
