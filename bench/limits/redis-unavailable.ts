import { setTimeout as delay } from 'node:timers/promises';
import type { OwnPart } from '@plimsoll/testing';
import type { Pool } from 'undici';
import { percentile } from '../flow/percentile';
import { request, type LimitResponse } from './burst';

const CALLS_PER_SECOND = 200;
const BEFORE_MS = 2_000;
const OUTAGE_MS = 3_000;
const RECOVERY_DEADLINE_MS = 10_000;

export interface RedisOutageResult {
  calls: number;
  statuses: Record<string, number>;
  p99BeforeMs: number;
  slowestMs: number;
  recoveryMs: number[];
}

/**
 * Steady requests from an account far below its limit, while Redis is killed and started again.
 * @param countsInRedis true when a gateway reports that it counts limits in Redis
 */
export async function redisKilledAndBack(
  redis: OwnPart,
  pools: readonly Pool[],
  key: string,
  countsInRedis: (gateway: number) => Promise<boolean>,
): Promise<{ result: RedisOutageResult; redis: OwnPart }> {
  const responses: (LimitResponse & { sentAtMs: number })[] = [];
  const end = new AbortController();
  const calling = (async () => {
    const pending: Promise<unknown>[] = [];
    for (let i = 0; !end.signal.aborted; i += 1) {
      const sentAtMs = performance.now();
      pending.push(
        request(pools[i % pools.length]!, key).then((response) => responses.push({ ...response, sentAtMs })),
      );
      await delay(1_000 / CALLS_PER_SECOND);
    }
    await Promise.all(pending);
  })();
  await delay(BEFORE_MS);
  const killedAtMs = performance.now();
  await redis.kill9();
  await delay(OUTAGE_MS);
  const restarted = await redis.restart();
  const backAtMs = performance.now();
  const recoveryMs = await Promise.all(
    pools.map(async (_, gateway) => {
      while (!(await countsInRedis(gateway))) {
        if (performance.now() - backAtMs > RECOVERY_DEADLINE_MS) return Infinity;
        await delay(20);
      }
      return Math.round(performance.now() - backAtMs);
    }),
  );
  await delay(BEFORE_MS);
  end.abort();
  await calling;
  const statuses: Record<string, number> = {};
  for (const { status } of responses) statuses[status] = (statuses[status] ?? 0) + 1;
  const latencies = (from: number, to: number): number[] =>
    responses.filter(({ sentAtMs }) => sentAtMs >= from && sentAtMs < to).map(({ latencyMs }) => latencyMs);
  const result: RedisOutageResult = {
    calls: responses.length,
    statuses,
    p99BeforeMs: Math.round(percentile(latencies(0, killedAtMs), 0.99)),
    slowestMs: Math.round(Math.max(...latencies(killedAtMs, Infinity))),
    recoveryMs,
  };
  return { result, redis: restarted };
}
