import Redis from 'ioredis';
import { accountChannel } from './account-channel';

const DEADLINE_MS = 2_000;

/**
 * Notifies every gateway process that an account or one of its keys changed.
 * @throws when Redis is unreachable; the gateways then notice the change within seconds
 */
export async function announceChange(redisUrl: string, keyPrefix: string, accountId: string): Promise<void> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: DEADLINE_MS,
    commandTimeout: DEADLINE_MS,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.publish(accountChannel(keyPrefix), accountId);
  } finally {
    redis.disconnect();
  }
}
