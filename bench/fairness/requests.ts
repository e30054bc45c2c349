import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { SEED_PLANS } from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import type { Platform } from '../../test/platform/start-platform';
import { onPlatform } from '../flow/on-platform';
import { atRate } from './at-rate';
import { inPairs, type Scene } from './pairs';

const HEAVY_CLIENTS = 16;
const LIGHT_PER_SECOND = 5;
const PER_MINUTE = 1_000_000;
const DEADLINE_MS = 15_000;

interface ApiRequest {
  path: string;
  body: object;
}

/** Requests of a heavy account, each client one after the other, beside those of a light one. */
const beside =
  (
    lightRequest: (platform: Platform) => ApiRequest,
    heavyRequest: (platform: Platform) => ApiRequest,
  ): Scene =>
  (pairs, seconds) =>
    onPlatform(SEED_PLANS, console.error, async (platform) => {
      const light = await platform.createKey('enterprise', PER_MINUTE);
      const heavy = await platform.createKey('enterprise', PER_MINUTE);
      for (const key of [light, heavy]) {
        for (const { address } of platform.wallets)
          await send(platform, key, { path: '/wallets', body: { address } });
      }
      const sendLight = async (): Promise<void> => {
        const status = await send(platform, light, lightRequest(platform));
        if (status !== 200) throw new Error(`a request of the light account got ${status}`);
      };
      await waitFor(() => sendLight().then(() => true), {
        timeoutMs: 60_000,
        message: 'the light account gets responses',
      });
      const measure = (): Promise<number[]> => atRate(LIGHT_PER_SECOND, seconds, sendLight);
      await measure();
      const heavyStatuses: Record<number, number> = {};
      const result = await inPairs(
        pairs,
        measure,
        async () => {
          const state = { isOver: false };
          const client = async (): Promise<void> => {
            while (!state.isOver) {
              const status = await send(platform, heavy, heavyRequest(platform));
              heavyStatuses[status] = (heavyStatuses[status] ?? 0) + 1;
            }
          };
          const clients = Array.from({ length: HEAVY_CLIENTS }, client);
          await delay(1_000);
          try {
            return await measure();
          } finally {
            state.isOver = true;
            await Promise.all(clients);
          }
        },
        true,
      );
      return { heavyClients: HEAVY_CLIENTS, heavyStatuses, ...result };
    });

async function send({ baseUrl }: Platform, key: string, { path, body }: ApiRequest): Promise<number> {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  await response.arrayBuffer();
  return response.status;
}

/** A wallet that is not watched, so that it is read from the chain. */
const anyWallet = (): string => `0x${randomBytes(20).toString('hex')}`;

export const scans: Scene = beside(
  () => ({ path: '/positions/scan', body: { wallet: anyWallet() } }),
  () => ({ path: '/positions/scan', body: { wallet: anyWallet() } }),
);

export const answers: Scene = beside(
  () => ({ path: '/ai/risk-qa', body: { question: 'What is the health factor of my positions?' } }),
  () => ({ path: '/ai/risk-qa', body: { question: 'What happens to my positions if ETH falls by 10%?' } }),
);
