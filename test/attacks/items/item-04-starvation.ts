import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, type Check, check } from '../attack';
import { send } from '../client';
import { inPairs, isFair, waitsAtMost } from '../pairs';
import { watchedPosition } from '../positions';
import type { Target } from '../target';

const LARGE = { iterations: 100_000, horizonDays: 365 };
const LARGE_RUNS = 8;
const SMALL = { iterations: 500, horizonDays: 30 };
const HEAVY_CLIENTS = 16;
/** Most that a small run waits behind large ones. */
const WAIT_MS = 250;
/** Scans and questions share the processor with those of the heavy account. */
const NOISE_MS = 100;

interface ApiRequest {
  path: string;
  body: object;
}

/** The intake of events has its own measurement: `npm run bench -- fairness --scene intake`. */
export const starvation: Attack = {
  item: '4',
  title: 'the work of one account does not starve another',
  limitSeconds: 240,
  async run(target) {
    const { isShort, limitMs, account } = target;
    const [heavy, light] = [(await account('enterprise')).key, (await account('enterprise')).key];
    const positionId = await watchedPosition(target, light);
    await watchedPosition(target, heavy);
    const simulation = (size: object) => (): ApiRequest => ({
      path: '/v1/simulate/monte-carlo',
      body: { positionId, ...size },
    });
    const scan = (): ApiRequest => ({
      path: '/v1/positions/scan',
      body: { wallet: `0x${randomBytes(20).toString('hex')}`, chains: [1] },
    });
    const question = (text: string) => (): ApiRequest => ({
      path: '/v1/ai/risk-qa',
      body: { question: text },
    });
    const asks = question('What is the health factor of my positions?');
    const falls = question('What happens to my positions if ETH falls by 10%?');

    const spareMs = Math.max(WAIT_MS, limitMs);
    target.progress(`${LARGE_RUNS} large simulations`);
    const small = await beside(target, light, simulation(SMALL), heavy, simulation(LARGE), LARGE_RUNS);
    const checks: Check[] = [
      waitsAtMost('a small run waits at most 250 ms behind large ones', small.pairs, spareMs),
      isFair('small runs beside large ones', small.pairs, WAIT_MS),
      small.succeeded,
    ];
    target.progress(`${HEAVY_CLIENTS} clients that scan`);
    const scans = await beside(target, light, scan, heavy, scan, HEAVY_CLIENTS);
    checks.push(isFair('scans', scans.pairs, isShort ? limitMs : NOISE_MS), scans.succeeded);
    if (isShort) return checks;
    target.progress(`${HEAVY_CLIENTS} clients with questions`);
    const answers = await beside(target, light, asks, heavy, falls, HEAVY_CLIENTS);
    return [...checks, isFair('questions', answers.pairs, NOISE_MS), answers.succeeded];
  },
};

/** Requests of the light account, one after the other, without and beside clients of the heavy one. */
async function beside(
  { origin, isShort }: Target,
  light: string,
  lightRequest: () => ApiRequest,
  heavy: string,
  heavyRequest: () => ApiRequest,
  clients: number,
) {
  const statuses: Record<number, number> = {};
  const post = async (key: string, { path, body }: ApiRequest, signal?: AbortSignal) =>
    send(origin, 'POST', path, { key, body, ...(signal && { signal }) });
  const measure = async (): Promise<number[]> => {
    const times: number[] = [];
    for (let at = 0; at < (isShort ? 5 : 20); at += 1) {
      const { status, ms } = await post(light, lightRequest());
      statuses[status] = (statuses[status] ?? 0) + 1;
      times.push(ms);
    }
    return times;
  };
  await measure();
  const pairs = await inPairs(isShort ? 1 : 3, measure, async () => {
    const over = new AbortController();
    const client = async (): Promise<void> => {
      while (!over.signal.aborted) await post(heavy, heavyRequest(), over.signal).catch(() => undefined);
    };
    const running = Array.from({ length: clients }, client);
    await delay(1_000);
    return async () => {
      over.abort();
      await Promise.all(running);
    };
  });
  const isSuccess = Object.keys(statuses).every((status) => status === '200');
  return { pairs, succeeded: check('each request of the light account succeeds', isSuccess, statuses) };
}
