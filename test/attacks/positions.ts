import { send } from './client';
import type { Target } from './target';
import { until } from './until';

/** Watches a seeded wallet with an account and returns the id of its position. */
export async function watchedPosition({ origin, wallets }: Target, key: string): Promise<string> {
  const [address] = wallets;
  await send(origin, 'POST', '/v1/wallets', { key, body: { address } });
  return until('a position of the seeded wallet', async () => {
    const { body } = await send(origin, 'GET', `/v1/positions?wallet=${address}`, { key });
    const [position] = (body['positions'] ?? []) as { id: string }[];
    return position?.id;
  });
}
