import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { connectRedis, firstConnection } from '@plimsoll/service-kit';
import type Redis from 'ioredis';
import { GatewayConfig } from '../../config';

/** Redis channel that carries the id of a changed account to every gateway process. */
export function accountChannel(keyPrefix: string): string {
  return `${keyPrefix}account-changed`;
}

const FIRST_CONNECTION_DEADLINE_MS = 1_000;
const PULSE_MS = 200;
/**
 * After this time without a response, the subscription counts as dead although its connection may look alive.
 */
const SILENCE_MS = 500;
const RECONNECT_AFTER_MS = 2_000;

type Listener = { changed(accountId: string): void; missed(): void };

/** Receives account changes over Redis in every gateway process. */
@Injectable()
export class AccountChanges implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('keys');
  private readonly redis: Redis;
  private readonly channel: string;
  private readonly listeners: Listener[] = [];
  private receivedAtMs = Number.NEGATIVE_INFINITY;
  private pulse?: NodeJS.Timeout;
  private pingedAtMs: number | null = null;

  constructor(config: GatewayConfig) {
    this.channel = accountChannel(config.REDIS_KEY_PREFIX);
    this.redis = connectRedis(config.REDIS_URL, 'account-changes');
    this.redis.on('ready', () => void this.subscribe());
    this.redis.on('close', () => (this.receivedAtMs = Number.NEGATIVE_INFINITY));
    this.redis.on('message', (_, accountId: string) => this.receive(accountId));
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Notifies the listeners of this process. */
  receive(accountId: string): void {
    this.listeners.forEach((each) => each.changed(accountId));
  }

  /** True while a change would be received. */
  isLive(): boolean {
    return performance.now() - this.receivedAtMs < SILENCE_MS;
  }

  async onModuleInit(): Promise<void> {
    await firstConnection(this.redis, FIRST_CONNECTION_DEADLINE_MS);
    this.pulse = setInterval(() => void this.ping(), PULSE_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.pulse);
    this.redis.disconnect();
  }

  private async subscribe(): Promise<void> {
    try {
      await this.redis.subscribe(this.channel);
      this.listeners.forEach((each) => each.missed());
      this.receivedAtMs = performance.now();
    } catch (error) {
      this.logger.warn({ msg: 'no subscription to account changes', reason: (error as Error).message });
      this.redis.disconnect(true);
    }
  }

  private async ping(): Promise<void> {
    if (this.receivedAtMs === Number.NEGATIVE_INFINITY) return;
    if (this.pingedAtMs !== null) {
      if (performance.now() - this.pingedAtMs > RECONNECT_AFTER_MS) this.redis.disconnect(true);
      return;
    }
    this.pingedAtMs = performance.now();
    try {
      await this.redis.ping();
      // Changes may have been lost during the silence.
      if (!this.isLive()) this.listeners.forEach((each) => each.missed());
      this.receivedAtMs = performance.now();
    } catch {
      this.receivedAtMs = Number.NEGATIVE_INFINITY;
    } finally {
      this.pingedAtMs = null;
    }
  }
}
