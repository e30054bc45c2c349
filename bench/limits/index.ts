import { setTimeout as delay } from 'node:timers/promises';
import Redis from 'ioredis';
import type { Pool } from 'undici';
import { dayEndMs, windowEndMs, windowOffsetMs } from '../../apps/gateway/src/limits/verdict';
import { type GatewayStack, progress, startGatewayStack } from '../gateway/gateway-stack';
import type { DemoAccount } from '../gateway/demo-account';
import { burst, connectionsTo, fallsWithoutRepeat, type LimitResponse } from './burst';
import { redisKilledAndBack } from './redis-unavailable';

export const description =
  'exactness of the limits over two gateway processes, at Reset, and with Redis away';

const GATEWAYS = 2;
const ACCOUNTS = 20;
const CALLS = 180;
const LIMIT = 60;
const DAY_LIMIT = 100_000;
/** Remaining requests of the day at the start of the daily-limit test. */
const LEFT_TODAY = 30;
const WINDOW_MARGIN_MS = 5_000;
const RESET_ACCOUNTS = 2;
const BARS = { recoveryMs: 2_000, slowestMs: 100 };

/** One burst, and its expected result. */
interface BurstResult {
  admitted: number;
  refused: number;
  remainingFallsWithoutRepeat: boolean;
  resets: number;
  isExact: boolean;
}

export async function run(): Promise<object> {
  const stack = await startGatewayStack(GATEWAYS);
  const pools: Pool[] = [];
  const operations: string[] = [];
  try {
    progress('starting two gateways');
    for (let i = 0; i < GATEWAYS; i += 1) {
      const gateway = await stack.startGateway();
      pools.push(connectionsTo(gateway.url, CALLS / GATEWAYS));
      operations.push(gateway.operationsUrl);
    }
    return await measure(stack, pools, operations);
  } finally {
    await Promise.all(pools.map((pool) => pool.destroy()));
    await stack.stop();
  }
}

async function measure(stack: GatewayStack, pools: Pool[], operations: string[]): Promise<object> {
  const steady = await stack.createAccount('enterprise', 1_000_000);
  await burst(pools, steady.key, CALLS);
  progress(`${ACCOUNTS} accounts, ${CALLS} calls at once each against a limit of ${LIMIT}`);
  const minute: BurstResult[] = [];
  const resets: { account: DemoAccount; resetMs: number }[] = [];
  for (let i = 0; i < ACCOUNTS; i += 1) {
    const account = await stack.createAccount('pro');
    await windowOf(account);
    const responses = await burst(pools, account.key, CALLS);
    minute.push(
      judge(
        responses,
        LIMIT,
        responses.filter(isAdmitted).map(({ remaining }) => remaining),
      ),
    );
    if (i >= ACCOUNTS - RESET_ACCOUNTS) resets.push({ account, resetMs: responses[0]!.resetMs });
  }
  progress('the daily limit');
  const daily = await dailyLimit(stack, pools);
  progress('at Reset');
  const atReset: BurstResult[] = [];
  for (const { account, resetMs } of resets.sort((a, b) => a.resetMs - b.resetMs)) {
    await delay(Math.max(0, resetMs - Date.now()));
    while (Date.now() < resetMs) await delay(1);
    const responses = await burst(pools, account.key, CALLS);
    atReset.push(
      judge(
        responses,
        LIMIT,
        responses.filter(isAdmitted).map(({ remaining }) => remaining),
      ),
    );
  }
  progress('Redis killed and back');
  const { result: redisAway, redis } = await redisKilledAndBack(stack.redis, pools, steady.key, (gateway) =>
    countsInRedis(operations[gateway]!),
  );
  stack.redis = redis;
  const after = await stack.createAccount('pro');
  await windowOf(after);
  const responses = await burst(pools, after.key, CALLS);
  const afterRecovery = judge(
    responses,
    LIMIT,
    responses.filter(isAdmitted).map(({ remaining }) => remaining),
  );

  const isRedisHonest =
    Object.keys(redisAway.statuses).every((status) => status === '200') &&
    redisAway.recoveryMs.every((ms) => ms <= BARS.recoveryMs) &&
    redisAway.slowestMs <= BARS.slowestMs;
  return {
    bench: 'limits',
    gateways: GATEWAYS,
    callsAtOnce: CALLS,
    limit: LIMIT,
    minute: { accounts: ACCOUNTS, exact: minute.filter(({ isExact }) => isExact).length, bursts: minute },
    daily,
    atReset,
    redisAway: { ...redisAway, bars: BARS },
    afterRecovery,
    passed: [...minute, daily, ...atReset, afterRecovery].every(({ isExact }) => isExact) && isRedisHonest,
  };
}

const isAdmitted = ({ status }: LimitResponse): boolean => status === 200;

function judge(
  responses: readonly LimitResponse[],
  limit: number,
  remaining: (number | undefined)[],
): BurstResult {
  const admitted = responses.filter(isAdmitted).length;
  const refused = responses.filter(
    ({ status, retryAfterSeconds }) => status === 429 && retryAfterSeconds! > 0,
  ).length;
  const remainingFallsWithoutRepeat = fallsWithoutRepeat(remaining, limit);
  const resets = new Set(responses.map(({ resetMs }) => resetMs)).size;
  const isExact =
    admitted === limit && refused === responses.length - limit && remainingFallsWithoutRepeat && resets === 1;
  return { admitted, refused, remainingFallsWithoutRepeat, resets, isExact };
}

/** Returns when the account's window has more than the margin left. */
async function windowOf({ id }: DemoAccount): Promise<void> {
  const left = (): number => windowEndMs(Date.now(), windowOffsetMs(`account:${id}`)) - Date.now();
  if (left() < WINDOW_MARGIN_MS) await delay(left() + 1);
}

/**
 * An account with LEFT_TODAY requests left for its day. The earlier requests are written into Redis, not
 * sent.
 */
async function dailyLimit(
  stack: GatewayStack,
  pools: Pool[],
): Promise<BurstResult & { code: string | undefined }> {
  if (dayEndMs(Date.now()) - Date.now() < WINDOW_MARGIN_MS) await delay(WINDOW_MARGIN_MS);
  const account = await stack.createAccount('pro');
  await windowOf(account);
  const redis = new Redis(stack.redis.url);
  const day = String(Math.floor(Date.now() / 86_400_000));
  await redis.hset(`plimsoll:limit:account:${account.id}`, 'd', day, 'e', String(DAY_LIMIT - LEFT_TODAY));
  await redis.quit();
  const responses = await burst(pools, account.key, CALLS);
  const refused = responses.filter(({ status }) => status === 429);
  const judged = judge(
    responses.map((response) => ({ ...response, resetMs: 0 })),
    LEFT_TODAY,
    responses.filter(isAdmitted).map(({ dailyRemaining }) => dailyRemaining),
  );
  const isHonest = refused.every(
    ({ code, resetMs }) => code === 'daily_limit_exceeded' && resetMs === dayEndMs(Date.now()),
  );
  return { ...judged, isExact: judged.isExact && isHonest, code: refused[0]?.code };
}

async function countsInRedis(operationsUrl: string): Promise<boolean> {
  const response = await fetch(`${operationsUrl}/metrics`, { signal: AbortSignal.timeout(5_000) });
  return /^gateway_limits_by_redis 1$/m.test(await response.text());
}
