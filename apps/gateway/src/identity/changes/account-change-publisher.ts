import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { connectRedis, firstConnection } from '@plimsoll/service-kit';
import type Redis from 'ioredis';
import { GatewayConfig } from '../../config';
import { AccountChanges } from './account-changes';
import { accountChannel } from './account-channel';

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
