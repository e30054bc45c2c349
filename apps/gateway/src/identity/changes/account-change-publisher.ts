import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { connectRedis, firstConnection } from '@plimsoll/service-kit';
import Redis from 'ioredis';
import { GatewayConfig } from '../../config';
import { AccountChanges, accountChannel } from './account-changes';

const FIRST_CONNECTION_DEADLINE_MS = 1_000;

/**
 * Notifies every gateway process that an account, one of its keys or its sessions changed, this process
 * first.
 */
@Injectable()
export class AccountChangePublisher implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('keys');
  private readonly redis: Redis;
  private readonly channel: string;

  constructor(
    config: GatewayConfig,
    private readonly changes: AccountChanges,
  ) {
    this.channel = accountChannel(config.REDIS_KEY_PREFIX);
    this.redis = connectRedis(config.REDIS_URL, 'announcements');
  }

  async onModuleInit(): Promise<void> {
    await firstConnection(this.redis, FIRST_CONNECTION_DEADLINE_MS);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  /** Not awaited. Without Redis, the other processes look keys up again within a second. */
  announce(accountId: string): void {
    this.changes.receive(accountId);
    this.redis.publish(this.channel, accountId).catch((error: Error) => {
      this.logger.warn({ msg: 'could not publish an account change', accountId, reason: error.message });
    });
  }
}

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
