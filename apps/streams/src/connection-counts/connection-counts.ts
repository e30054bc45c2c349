import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { connectRedis, firstConnection, within } from '@plimsoll/service-kit';
import type Redis from 'ioredis';
import { StreamsConfig } from '../config';
import { LIMITS } from '../limits';
import { REPORT_CONNECTIONS_LUA, ACQUIRE_CONNECTION_LUA } from './connection-counts.lua';

const FIRST_CONNECTION_DEADLINE_MS = 1_000;
const COMMAND_DEADLINE_MS = 1_000;
const SHOW_EVERY_MS = 1_000;
/** After this time the connections of a killed instance are free, because its clients reconnect by then. */
const UNSEEN_MS = 5_000;
/** Clients wait a little longer than that for a connection. */
const WAIT_MS = 6_000;
const RETRY_MS = 500;
/** Keys expire soon after their last use. */
const KEY_TTL_MS = 3_600_000;
/** Most accounts in one script call, because Redis does nothing else meanwhile. */
const ACCOUNTS_PER_CALL = 500;

type Scripts = Redis & {
  plimsollAcquireConnection(...keysAndArgs: (string | number)[]): Promise<number>;
  plimsollReportConnections(keyCount: number, ...keysAndArgs: (string | number)[]): Promise<number>;
};

/**
 * Counts the connections of accounts over all instances. While Redis is unavailable, an instance counts only
 * its own, so that no permitted client is refused.
 */
@Injectable()
export class ConnectionCounts implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('connection-counts');
  private readonly redis: Scripts;
  private readonly instance = randomUUID();
  private readonly held = new Map<string, number>();
  /** Pending reservations in Redis by account. Redis may already count them. */
  private readonly requested = new Map<string, number>();
  /** Clients that wait for a connection, by account. */
  private readonly waiting = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private isShared = true;

  constructor(private readonly config: StreamsConfig) {
    const redis = connectRedis(config.REDIS_URL, 'streams-connections');
    redis.defineCommand('plimsollAcquireConnection', { lua: ACQUIRE_CONNECTION_LUA, numberOfKeys: 2 });
    redis.defineCommand('plimsollReportConnections', { lua: REPORT_CONNECTIONS_LUA });
    this.redis = redis as Scripts;
  }

  async onModuleInit(): Promise<void> {
    await firstConnection(this.redis, FIRST_CONNECTION_DEADLINE_MS);
    await this.show();
  }

  onApplicationBootstrap(): void {
    let isShowing = false;
    this.timer = setInterval(() => {
      if (isShowing) return;
      isShowing = true;
      void this.show().finally(() => (isShowing = false));
    }, SHOW_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.redis.disconnect();
  }

  /** Returns false when the account has all its connections. `leave` releases a reserved connection. */
  async acquire(accountId: string): Promise<boolean> {
    const taken = await this.tryAcquire(accountId);
    // Other instances hold some. One of them may just have been killed, and this may be its client.
    return taken < 0 ? this.waitFor(accountId) : taken === 1;
  }

  release(accountId: string): void {
    this.held.set(accountId, this.countOf(accountId) - 1);
    void this.request(() => this.redis.hincrby(this.keyOf(accountId), this.instance, -1));
  }

  /** At most as many clients wait as may have a connection. */
  private async waitFor(accountId: string): Promise<boolean> {
    if ((this.waiting.get(accountId) ?? 0) >= LIMITS.connectionsPerAccount) return false;
    add(this.waiting, accountId, 1);
    const deadlineMs = performance.now() + WAIT_MS;
    let taken = -1;
    while (taken < 0 && performance.now() <= deadlineMs) {
      await delay(RETRY_MS);
      taken = await this.tryAcquire(accountId);
    }
    add(this.waiting, accountId, -1);
    return taken === 1;
  }

  private async tryAcquire(accountId: string): Promise<number> {
    if (this.countOf(accountId) >= LIMITS.connectionsPerAccount) return 0;
    const args = [this.instance, LIMITS.connectionsPerAccount, UNSEEN_MS, KEY_TTL_MS];
    add(this.requested, accountId, 1);
    const taken = await this.request(() =>
      this.redis.plimsollAcquireConnection(this.keyOf(accountId), this.instancesKey, ...args),
    );
    add(this.requested, accountId, -1);
    if (taken !== undefined && taken !== 1) return taken;
    // Other clients were admitted during the request to Redis.
    const count = this.countOf(accountId);
    if (taken === undefined && count >= LIMITS.connectionsPerAccount) return 0;
    this.held.set(accountId, count + 1);
    return 1;
  }

  /**
   * Shows that this instance is alive and what it holds. It skips accounts with a pending reservation,
   * because the count here may lack one that Redis already has. The next call shows them.
   */
  private async show(): Promise<void> {
    const all = [...this.held.keys()];
    do {
      const accountIds = all
        .splice(0, ACCOUNTS_PER_CALL)
        .filter((accountId) => !this.requested.has(accountId));
      const part = accountIds.map((accountId) => [accountId, this.countOf(accountId)] as const);
      const keys = [this.instancesKey, ...part.map(([accountId]) => this.keyOf(accountId))];
      const counts = part.map(([, count]) => count);
      const shown = await this.request(() =>
        this.redis.plimsollReportConnections(
          keys.length,
          ...keys,
          this.instance,
          KEY_TTL_MS,
          KEY_TTL_MS,
          ...counts,
        ),
      );
      // An account stays among those that are shown until Redis knows that it has left.
      if (shown === undefined) continue;
      for (const [accountId, count] of part)
        if (count === 0 && this.held.get(accountId) === 0) this.held.delete(accountId);
    } while (all.length > 0);
  }

  private countOf(accountId: string): number {
    return this.held.get(accountId) ?? 0;
  }

  private get instancesKey(): string {
    return `${this.config.REDIS_KEY_PREFIX}stream-instances`;
  }

  private keyOf(accountId: string): string {
    return `${this.config.REDIS_KEY_PREFIX}stream-places:${accountId}`;
  }

  /** Undefined when Redis did not respond. */
  private async request<T>(command: () => Promise<T>): Promise<T | undefined> {
    try {
      const response = await within(COMMAND_DEADLINE_MS, command(), () => new Error('no response in time'));
      this.report(true);
      return response;
    } catch (error) {
      this.report(false, error);
      return undefined;
    }
  }

  private report(isShared: boolean, error?: unknown): void {
    if (isShared === this.isShared) return;
    this.isShared = isShared;
    if (isShared) this.logger.log({ msg: 'connections are counted over all instances again' });
    else this.logger.warn({ msg: 'connections are counted only by this instance', err: error });
  }
}

/** An entry of zero is removed. */
function add(counts: Map<string, number>, key: string, difference: number): void {
  const count = (counts.get(key) ?? 0) + difference;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
