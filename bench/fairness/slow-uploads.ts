import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { startGatewayStack } from '../gateway/gateway-stack';
import { atRate } from './at-rate';
import { inPairs, type Scene } from './pairs';
import { SlowClient } from './slow-client';

const SLOW_CLIENTS = 200;
/** An account may have 64 calls in flight at a service. These clients need several. */
const SLOW_ACCOUNTS = 4;
/** The first uploads have got their 408, and the next ones are open. */
const HEAD_START_MS = 11_000;
const PER_SECOND = 100;
const PER_MINUTE = 1_000_000;
const PATH = '/v1/simulate/what-if';
const BODY = JSON.stringify({ positionId: 'pos_1b9XkPzQ0sVf3mLr7TnYcA', scenarios: [] });

/** Uploads of other accounts that stop or trickle, to the same service as the light account. */
export const slowUploads: Scene = async (pairs, seconds) => {
  const stack = await startGatewayStack(1);
  const pools: Pool[] = [];
  try {
    const gateway = await stack.startGateway();
    const light = await stack.createAccount('enterprise', PER_MINUTE);
    const slow: string[] = [];
    for (let i = 0; i < SLOW_ACCOUNTS; i += 1) {
      slow.push((await stack.createAccount('enterprise', PER_MINUTE)).key);
    }
    const pool = new Pool(gateway.url, { connections: 32 });
    pools.push(pool);
    const measure = (): Promise<number[]> =>
      atRate(PER_SECOND, seconds, async () => {
        const { statusCode, body } = await pool.request({
          method: 'POST',
          path: PATH,
          headers: { 'x-api-key': light.key, 'content-type': 'application/json' },
          body: BODY,
        });
        await body.dump();
        if (statusCode !== 200) throw new Error(`a call of the light account got ${statusCode}`);
      });
    await measure();
    const statuses: Record<string, number> = {};
    const result = await inPairs(pairs, measure, async () => {
      const clients = Array.from({ length: SLOW_CLIENTS }, (_, at) => {
        const key = slow[at % SLOW_ACCOUNTS] ?? '';
        const headers = { 'x-api-key': key };
        return new SlowClient({ url: gateway.url + PATH, headers, isTrickling: at % 2 === 0, statuses });
      });
      await delay(HEAD_START_MS);
      try {
        return await measure();
      } finally {
        for (const client of clients) client.close();
      }
    });
    return { slowClients: SLOW_CLIENTS, slowResponses: statuses, ...result };
  } finally {
    await Promise.all(pools.map((pool) => pool.destroy()));
    await stack.stop();
  }
};
