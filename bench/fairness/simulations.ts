import { setTimeout as delay } from 'node:timers/promises';
import { identityHeaders, waitFor } from '@plimsoll/testing';
import { newId } from '@plimsoll/contracts';
import { Pool } from 'undici';
import { startSimulation } from '../risk/simulation-service';
import { atRate } from './at-rate';
import { inPairs, rounded, type Scene } from './pairs';

const LARGE = { iterations: 100_000, horizonDays: 365 };
const LARGE_RUNS = 8;
const SMALL = { iterations: 500, horizonDays: 30 };
const PER_SECOND = 10;
/** The longest time that a small run may take longer than alone. */
const WAIT_MS = 250;

/** Eight large Monte Carlo runs of one account beside small ones of another. */
export const simulations: Scene = async (pairs, seconds) => {
  const service = await startSimulation();
  const pool = new Pool(service.url, { connections: 64 });
  const run = async (accountId: string, size: object, signal?: AbortSignal): Promise<void> => {
    const request = { service: 'simulation', method: 'POST' as const, path: '/v1/simulate/monte-carlo' };
    const signed = identityHeaders(service.identityKeys, request, accountId);
    const { statusCode, body } = await pool.request({
      method: request.method,
      path: request.path,
      headers: { ...signed, 'content-type': 'application/json' },
      body: JSON.stringify({ positionId: service.positionId, ...size }),
      signal: signal ?? AbortSignal.timeout(20_000),
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`a simulation got ${statusCode}`);
  };
  const [light, heavy] = [newId('acc'), newId('acc')];
  let longestMs = { alone: 0, beside: 0 };
  const measure = async (side: 'alone' | 'beside'): Promise<number[]> => {
    const latencies = await atRate(PER_SECOND, seconds, () => run(light, SMALL));
    longestMs = { ...longestMs, [side]: Math.max(longestMs[side], ...latencies) };
    return latencies;
  };
  try {
    const isKnown = () => run(light, SMALL).then(() => true);
    await waitFor(isKnown, { timeoutMs: 30_000, message: 'the history is known' });
    await measure('alone');
    longestMs.alone = 0;
    const result = await inPairs(
      pairs,
      () => measure('alone'),
      async () => {
        const left = new AbortController();
        // A run that ends or is late is followed by the next one, so that eight are always there.
        const client = async (): Promise<void> => {
          while (!left.signal.aborted) await run(heavy, LARGE, left.signal).catch(() => undefined);
        };
        const clients = Array.from({ length: LARGE_RUNS }, client);
        await delay(1_000);
        try {
          return await measure('beside');
        } finally {
          left.abort();
          await Promise.all(clients);
        }
      },
      true,
    );
    const waitMs = longestMs.beside - longestMs.alone;
    return {
      largeRuns: LARGE_RUNS,
      ...result,
      longestMs: { alone: rounded(longestMs.alone), beside: rounded(longestMs.beside) },
      passed: result.passed && waitMs <= WAIT_MS,
    };
  } finally {
    await pool.destroy();
    await service.stop();
  }
};
