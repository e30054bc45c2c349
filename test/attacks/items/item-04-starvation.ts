import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, check } from '../attack';
import { send } from '../client';
import type { Target } from '../target';

const LARGE = { iterations: 100_000, horizonDays: 365 };
const SMALL = { iterations: 500, horizonDays: 30 };
/** Most that a small run waits behind large ones. */
const WAIT_MS = 250;
const POSITION_WAIT_MS = 20_000;

export const starvation: Attack = {
  item: '4',
  title: 'large simulations of one account do not starve another',
  async run(target) {
    const { origin, account, isShort } = target;
    const [attacker, other] = [await account('enterprise'), await account('enterprise')];
    const positionId = await watchedPosition(target, other.key);
    const simulate = (key: string, size: object) =>
      send(origin, 'POST', '/v1/simulate/monte-carlo', { key, body: { positionId, ...size } });
    const times = async (count: number): Promise<number[]> => {
      const measured: number[] = [];
      for (let at = 0; at < count; at += 1) {
        const { status, ms } = await simulate(other.key, SMALL);
        if (status !== 200) throw new Error(`a small run responded with ${status}`);
        measured.push(ms);
      }
      return measured.sort((a, b) => a - b);
    };
    const count = isShort ? 5 : 20;
    await times(2);
    const alone = await times(count);
    const large = Promise.all(Array.from({ length: isShort ? 4 : 8 }, () => simulate(attacker.key, LARGE)));
    await delay(100);
    const beside = await times(count);
    await large;
    const [median, besideMedian] = [alone, beside].map((each) => each[Math.floor(each.length / 2)]!);
    return [
      check(
        'a small run waits at most 250 ms',
        besideMedian! <= Math.max(1.5 * median!, median! + WAIT_MS),
        `${Math.round(median!)} ms alone, ${Math.round(besideMedian!)} ms beside`,
      ),
    ];
  },
};

/** Watches a seeded wallet and returns its position. */
async function watchedPosition({ origin, wallets }: Target, key: string): Promise<string> {
  const [address] = wallets;
  await send(origin, 'POST', '/v1/wallets', { key, body: { address } });
  const untilMs = performance.now() + POSITION_WAIT_MS;
  while (performance.now() < untilMs) {
    const { body } = await send(origin, 'GET', `/v1/positions?wallet=${address}`, { key });
    const [position] = (body['positions'] ?? []) as { id: string }[];
    if (position) return position.id;
    await delay(200);
  }
  throw new Error('the seeded wallet has no position');
}
