import { setTimeout as delay } from 'node:timers/promises';
import { atRate } from '../../../bench/fairness/at-rate';
import { SlowClient, type SlowUpload } from '../../../bench/fairness/slow-client';
import { type Attack, type Check, check, equal } from '../attack';
import { anyAddress, send } from '../client';
import { inPairs, isFair } from '../pairs';
import { watchedPosition } from '../positions';
import type { Target } from '../target';
import { until } from '../until';

const PATH = '/v1/simulate/what-if';
/** An account may have 64 calls in flight at a service, so 200 clients need several. */
const CLIENTS_OF_ACCOUNT = 50;
const IN_FLIGHT = 64;
const PER_SECOND = 25;
/** A pause of 10 s ends an upload. */
const TIMEOUT_MS = 15_000;
/** A smaller difference of a p99 is noise, because a request takes about 10 ms. */
const NOISE_MS = 25;

export const slowUploads: Attack = {
  item: '3',
  title: 'slow uploads of one account do not break a service for another',
  limitSeconds: 240,
  async run(target) {
    const { isShort } = target;
    const light = (await target.account('enterprise')).key;
    const slow: string[] = [];
    for (let at = 0; at < (isShort ? 2 : 4); at += 1) slow.push((await target.account('enterprise')).key);
    const checks: Check[] = await callsInFlight(target, slow[0]!);
    const positionId = await watchedPosition(target, light);
    for (const clients of isShort ? [60] : [60, 200]) {
      target.progress(`${clients} slow clients`);
      checks.push(...(await beside(target, clients, slow, light, positionId)));
    }
    return checks;
  },
};

/** What-if requests of the light account without and beside the slow clients. */
async function beside(
  { origin, isShort, limitMs }: Target,
  count: number,
  slow: readonly string[],
  light: string,
  positionId: string,
): Promise<Check[]> {
  const statuses: Record<number, number> = {};
  const uploads: Record<string, number> = {};
  const body = { positionId, scenarios: [{ asset: 'ETH', priceChangePercent: -20 }] };
  const measure = (): Promise<number[]> =>
    atRate(PER_SECOND, isShort ? 2 : 5, async () => {
      const { status } = await send(origin, 'POST', PATH, { key: light, body });
      statuses[status] = (statuses[status] ?? 0) + 1;
    });
  await measure();
  const pairs = await inPairs(isShort ? 1 : 3, measure, async () => {
    const clients = Array.from({ length: count }, (_, at) => {
      const key = slow[Math.floor(at / CLIENTS_OF_ACCOUNT)]!;
      return slowClient(origin, key, { isTrickling: at % 2 === 0, statuses: uploads });
    });
    await delay(1_000);
    return async () => {
      // The uploads that stop get their 408 once, in the long form.
      if (!isShort) await until('a 408', async () => uploads['408'], TIMEOUT_MS);
      for (const client of clients) client.close();
    };
  });
  const calls = Object.values(statuses).reduce((sum, each) => sum + each, 0);
  return [
    equal(`no call of another account fails beside ${count} slow clients`, statuses, { 200: calls }),
    isFair(`its p99 beside ${count}`, pairs, isShort ? limitMs : NOISE_MS),
    ...(isShort ? [] : [check('a stalled upload gets 408', (uploads['408'] ?? 0) > 0, uploads)]),
  ];
}

/** The 65th upload of an account to a service is refused. */
async function callsInFlight({ origin }: Target, key: string): Promise<Check[]> {
  const statuses: Record<string, number> = {};
  const more = 6;
  const clients = Array.from({ length: IN_FLIGHT + more }, () =>
    slowClient(origin, key, { isTrickling: false, statuses, isRepeating: false }),
  );
  const isRefused = await until(
    '429',
    async () => ((statuses['429'] ?? 0) >= more ? true : undefined),
    8_000,
  ).catch(() => false);
  for (const client of clients) client.close();
  return [
    check(
      `an account has ${IN_FLIGHT} uploads in flight at a service`,
      isRefused && statuses['429'] === more,
      statuses,
    ),
  ];
}

function slowClient(
  origin: string,
  key: string,
  more: Pick<SlowUpload, 'isTrickling' | 'statuses' | 'isRepeating'>,
): SlowClient {
  return new SlowClient({
    url: origin + PATH,
    headers: { 'x-api-key': key, 'x-forwarded-for': anyAddress() },
    ...more,
  });
}
