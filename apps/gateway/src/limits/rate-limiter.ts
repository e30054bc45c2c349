import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { connectRedis, firstConnection, Health, within } from '@plimsoll/service-kit';
import type Redis from 'ioredis';
import { Counter, Gauge } from 'prom-client';
import { GatewayConfig } from '../config';
import { DenyCache } from './deny-cache';
import { LocalLimiter } from './local-limiter';
import { RedisLimiter } from './redis-limiter';
import type { Figures, Subject, Verdict } from './verdict';

const FIRST_CONNECTION_DEADLINE_MS = 1_000;
const COMMAND_DEADLINE_MS = 50;
/** After a failure Redis is not used for this long. Then one request tries it. */
const PAUSE_MS = 500;

/** 1 while limits are counted in Redis, 0 while this process counts its own share. */
const limitsByRedis = new Gauge({
  name: 'gateway_limits_by_redis',
  help: '1 while limits are counted in Redis, 0 while this process counts by itself',
});

const localTakings = new Counter({
  name: 'gateway_limits_local_total',
  help: 'Requests whose limit this process counted because Redis was unavailable',
});

/**
 * All limits of the API. Redis decides. While it is unavailable, this process decides, a metric and a log
 * line report it, and no request waits for Redis longer than COMMAND_DEADLINE_MS.
 */
@Injectable()
export class RateLimiter implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('limits');
  private readonly redis: Redis;
  private readonly shared: RedisLimiter;
  private readonly local: LocalLimiter;
  private readonly denials = new DenyCache();
  private isShared = true;
  private retryAtMs = 0;
  private loaded: Promise<void> = Promise.resolve();

  constructor(config: GatewayConfig, health: Health) {
    this.redis = connectRedis(config.REDIS_URL, 'limits');
    this.shared = new RedisLimiter(this.redis, config.REDIS_KEY_PREFIX, COMMAND_DEADLINE_MS);
    this.local = new LocalLimiter(config.GATEWAY_INSTANCES);
    this.redis.on('ready', () => {
      this.retryAtMs = 0;
      this.loaded = this.shared.load().catch(() => undefined);
    });
    health.register('redis', () => this.redis.ping(), { required: false });
    limitsByRedis.set(1);
  }

  async onModuleInit(): Promise<void> {
    await firstConnection(this.redis, FIRST_CONNECTION_DEADLINE_MS);
    const late = (): Error => new Error('Redis did not load the script of the limits in time');
    await within(FIRST_CONNECTION_DEADLINE_MS, this.loaded, late).catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  /** Takes one request of a subject. Never rejects, and returns a value when Redis is not needed. */
  take(subject: Subject, figures: Figures): Verdict | Promise<Verdict> {
    const askedAtMs = performance.now();
    if (!this.isShared && askedAtMs < this.retryAtMs) return this.takeLocally(subject, figures);
    const denied = this.denials.get(subject, figures, askedAtMs);
    if (denied) return denied;
    // While Redis counts as unavailable, only this request tries it.
    if (!this.isShared) this.retryAtMs = askedAtMs + PAUSE_MS;
    return new Promise((resolve) => {
      this.shared.take(subject, figures, (verdict) => {
        if (verdict instanceof Error) {
          this.lost(verdict);
          resolve(this.takeLocally(subject, figures));
          return;
        }
        this.found();
        if (!verdict.admitted) this.denials.add(subject, figures, verdict, askedAtMs);
        resolve(verdict);
      });
    });
  }

  /** Returns true for a subject whose window is known to be full. It takes nothing. */
  isFull(subject: Subject, figures: Figures): boolean {
    return this.denials.get(subject, figures, performance.now()) !== undefined;
  }

  private takeLocally(subject: Subject, figures: Figures): Verdict {
    localTakings.inc();
    return this.local.take(subject, figures, Date.now());
  }

  private lost(error: Error): void {
    this.retryAtMs = performance.now() + PAUSE_MS;
    if (!this.isShared) return;
    this.isShared = false;
    limitsByRedis.set(0);
    this.logger.warn({ msg: 'limits are counted only by this process', reason: error.message });
  }

  private found(): void {
    if (this.isShared) return;
    this.isShared = true;
    this.local.clear();
    limitsByRedis.set(1);
    this.logger.log({ msg: 'limits are counted in Redis again' });
  }
}
