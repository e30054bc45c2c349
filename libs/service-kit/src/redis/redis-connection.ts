import { Logger } from '@nestjs/common';
import Redis from 'ioredis';
import { within } from '../concurrency/within';

const RECONNECT_MIN_MS = 50;
const RECONNECT_MAX_MS = 500;

/**
 * A Redis connection on which nothing ever waits for Redis to come back: commands fail at once while it is away, and it
 * reconnects for ever, at least twice a second. Losing and finding it is logged once each.
 * @param purpose names the connection, in logs and in Redis
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
    if (!isAway) logger.warn({ msg: 'Redis is away', purpose, reason: error.message });
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) logger.log({ msg: 'Redis is back', purpose });
    isAway = false;
  });
  return redis;
}

/** Connects, and waits for it no longer than `deadlineMs`: a service starts without Redis too. */
export async function firstConnection(redis: Redis, deadlineMs: number): Promise<void> {
  const late = (): Error => new Error(`no connection within ${deadlineMs} ms`);
  await within(deadlineMs, redis.connect(), late).catch(() => undefined);
}
