import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { connectRedis, firstConnection } from '@plimsoll/service-kit';
import type Redis from 'ioredis';
import { GatewayConfig } from '../config';
import { AccountChanges } from './account-changes';
import { accountChannel } from './account-channel';

const FIRST_CONNECTION_DEADLINE_MS = 1_000;

/** Tells every gateway process that an account, one of its keys or its sessions changed; this one first. */
@Injectable()
export class AccountAnnouncer implements OnModuleInit, OnApplicationShutdown {
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

  /** Nothing waits for it: without Redis the other processes look keys up again within a second. */
  announce(accountId: string): void {
    this.changes.hear(accountId);
    this.redis.publish(this.channel, accountId).catch((error: Error) => {
      this.logger.warn({ msg: 'a change was not announced', accountId, reason: error.message });
    });
  }
}
