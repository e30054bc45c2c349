import { Logger } from '@nestjs/common';
import Redis from 'ioredis';
import { within } from '../concurrency/within';

const RECONNECT_MIN_MS = 50;
const RECONNECT_MAX_MS = 500;

/**
 * Opens a Redis connection on which no command waits for a reconnect. Commands fail immediately while Redis
 * is unavailable. The connection retries without end, at least twice a second. It logs each loss and each
 * recovery once.
 * @param purpose name of the connection in logs and in Redis
 */
export function connectRedis(url: string, purpose: string): Redis {
  const logger = new Logger('redis');
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    connectTimeout: 1_000,
    disconnectTimeout: 200,
    connectionName: `plimsoll-${purpose}`,
    retryStrategy: (attempt) =>
      Math.min(RECONNECT_MAX_MS, RECONNECT_MIN_MS * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 4),
  });
  let isAway = false;
  redis.on('error', (error: Error) => {
    if (!isAway) logger.warn({ msg: 'Redis is unavailable', purpose, reason: error.message });
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) logger.log({ msg: 'Redis is available again', purpose });
    isAway = false;
  });
  return redis;
}

/** Waits for the first connection, at most `deadlineMs`. A service also starts without Redis. */
export async function firstConnection(redis: Redis, deadlineMs: number): Promise<void> {
  const late = (): Error => new Error(`no connection within ${deadlineMs} ms`);
  await within(deadlineMs, redis.connect(), late).catch(() => undefined);
}
