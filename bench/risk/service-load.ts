import { setTimeout as delay } from 'node:timers/promises';
import type { MonteCarloAnswer } from '@plimsoll/contracts';
import { identityHeaders, waitFor } from '@plimsoll/testing';
import { Pool } from 'undici';
import { type SimulationService, startSimulation } from './simulation-service';

const CONCURRENT = 8;
const ITERATIONS = 5_000;
const HORIZON_DAYS = 30;
const IDLE_MS = 5_000;
const WARM_UP_MS = 5_000;
const LOAD_MS = 15_000;

/** The load of the service while it simulates. */
export interface ServiceLoad {
  iterations: number;
  atOnce: number;
  requestsPerSecond: number;
  latencyMs: { p50: number; p99: number };
  /** 99th percentile of the delay of the service's event loop, its timer's own 10 ms included. */
  eventLoopDelayP99Ms: { idle: number; simulating: number; difference: number };
  failed: number;
}

/** The service with eight clients. */
export async function measureService(): Promise<ServiceLoad> {
  const service = await startSimulation();
  try {
    return await load(service);
  } finally {
    await service.stop();
  }
}

async function load({
  url,
  operationsUrl,
  positionId,
  identityKeys,
}: SimulationService): Promise<ServiceLoad> {
  const pool = new Pool(url, { connections: CONCURRENT });
  const simulate = async (): Promise<number> => {
    const request = { service: 'simulation', method: 'POST' as const, path: '/v1/simulate/monte-carlo' };
    const { statusCode, body } = await pool.request({
      method: request.method,
      path: request.path,
      headers: { ...identityHeaders(identityKeys, request, 'acc_bench'), 'content-type': 'application/json' },
      body: JSON.stringify({ positionId, iterations: ITERATIONS, horizonDays: HORIZON_DAYS }),
      signal: AbortSignal.timeout(20_000),
    });
    if (statusCode === 200) (await body.json()) as MonteCarloAnswer;
    else await body.dump();
    return statusCode;
  };
  await waitFor(async () => (await simulate()) === 200, {
    timeoutMs: 30_000,
    message: 'the history is known',
  });
  await run(simulate, WARM_UP_MS);
  await eventLoopDelayP99Ms(operationsUrl);
  await delay(IDLE_MS);
  const idle = await eventLoopDelayP99Ms(operationsUrl);
  const startedAt = performance.now();
  const { latencies, failed } = await run(simulate, LOAD_MS);
  const seconds = (performance.now() - startedAt) / 1_000;
  const simulating = await eventLoopDelayP99Ms(operationsUrl);
  await pool.close();
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return {
    iterations: ITERATIONS,
    atOnce: CONCURRENT,
    requestsPerSecond: round(latencies.length / seconds),
    latencyMs: { p50: at(0.5), p99: at(0.99) },
    eventLoopDelayP99Ms: { idle, simulating, difference: round(simulating - idle) },
    failed,
  };
}

async function run(
  simulate: () => Promise<number>,
  forMs: number,
): Promise<{ latencies: number[]; failed: number }> {
  const latencies: number[] = [];
  let failed = 0;
  const until = performance.now() + forMs;
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      const before = performance.now();
      if ((await simulate()) === 200) latencies.push(performance.now() - before);
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, client));
  return { latencies, failed };
}

/** The value since the last call, because the metric restarts at each scrape. */
async function eventLoopDelayP99Ms(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) });
  const line = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await response.text());
  if (!line) throw new Error('the service has no metric nodejs_eventloop_lag_p99_seconds');
  return round(Number(line[1]) * 1_000);
}

const round = (value: number): number => Math.round(value * 100) / 100;
