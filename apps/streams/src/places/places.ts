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
import { SHOW_PLACES_LUA, TAKE_PLACE_LUA } from './places.lua';

const FIRST_CONNECTION_DEADLINE_MS = 1_000;
const COMMAND_DEADLINE_MS = 1_000;
const SHOW_EVERY_MS = 1_000;
/** A killed instance's places are free after this: its clients are at the door by then. */
const UNSEEN_MS = 5_000;
/** So they wait a little longer than that for a place. */
const WAIT_MS = 6_000;
const ASK_AGAIN_MS = 500;
/** Nothing that is kept outlives its use for long. */
const KEPT_MS = 3_600_000;
/** Accounts in one script call: Redis does nothing else meanwhile. */
const ACCOUNTS_A_CALL = 500;

type Scripts = Redis & {
  plimsollTakePlace(...keysAndArgs: (string | number)[]): Promise<number>;
  plimsollShowPlaces(keyCount: number, ...keysAndArgs: (string | number)[]): Promise<number>;
};

/**
 * The connections that accounts may have, over all instances. While Redis is away an instance counts its own alone: a
 * client that may come in is never turned away for it.
 */
@Injectable()
export class Places implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('places');
  private readonly redis: Scripts;
  private readonly instance = randomUUID();
  private readonly held = new Map<string, number>();
  /** Places that Redis is being asked for, by account: it may count them already. */
  private readonly asked = new Map<string, number>();
  /** Clients that wait for a place, by account. */
  private readonly waiting = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private isShared = true;

  constructor(private readonly config: StreamsConfig) {
    const redis = connectRedis(config.REDIS_URL, 'streams-places');
    redis.defineCommand('plimsollTakePlace', { lua: TAKE_PLACE_LUA, numberOfKeys: 2 });
    redis.defineCommand('plimsollShowPlaces', { lua: SHOW_PLACES_LUA });
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

  /** False: the account has as many connections as it may. A place that was taken is given back with `leave`. */
  async take(accountId: string): Promise<boolean> {
    const taken = await this.tryTake(accountId);
    // Others hold some: one of them may just have been killed, and this be its client.
    return taken < 0 ? this.waitFor(accountId) : taken === 1;
  }

  leave(accountId: string): void {
    this.held.set(accountId, this.countOf(accountId) - 1);
    void this.ask(() => this.redis.hincrby(this.keyOf(accountId), this.instance, -1));
  }

  /** No more clients wait than may have a place. */
  private async waitFor(accountId: string): Promise<boolean> {
    if ((this.waiting.get(accountId) ?? 0) >= LIMITS.connectionsPerAccount) return false;
    add(this.waiting, accountId, 1);
    const deadlineMs = performance.now() + WAIT_MS;
    let taken = -1;
    while (taken < 0 && performance.now() <= deadlineMs) {
      await delay(ASK_AGAIN_MS);
      taken = await this.tryTake(accountId);
    }
    add(this.waiting, accountId, -1);
    return taken === 1;
  }

  private async tryTake(accountId: string): Promise<number> {
    if (this.countOf(accountId) >= LIMITS.connectionsPerAccount) return 0;
    const args = [this.instance, LIMITS.connectionsPerAccount, UNSEEN_MS, KEPT_MS];
    add(this.asked, accountId, 1);
    const taken = await this.ask(() =>
      this.redis.plimsollTakePlace(this.keyOf(accountId), this.instancesKey, ...args),
    );
    add(this.asked, accountId, -1);
    if (taken !== undefined && taken !== 1) return taken;
    // Others came in while Redis was asked.
    const count = this.countOf(accountId);
    if (taken === undefined && count >= LIMITS.connectionsPerAccount) return 0;
    this.held.set(accountId, count + 1);
    return 1;
  }

  /**
   * Says that this instance lives and what it holds; not of an account for which a place is being asked: its count here
   * may be without one that Redis has counted. It is shown the next time.
   */
  private async show(): Promise<void> {
    const all = [...this.held.keys()];
    do {
      const accountIds = all.splice(0, ACCOUNTS_A_CALL).filter((accountId) => !this.asked.has(accountId));
      const part = accountIds.map((accountId) => [accountId, this.countOf(accountId)] as const);
      const keys = [this.instancesKey, ...part.map(([accountId]) => this.keyOf(accountId))];
      const counts = part.map(([, count]) => count);
      const shown = await this.ask(() =>
        this.redis.plimsollShowPlaces(keys.length, ...keys, this.instance, KEPT_MS, KEPT_MS, ...counts),
      );
      // Until Redis knows that an account has left, it is among those that are shown.
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

  /** Undefined: Redis did not answer. */
  private async ask<T>(command: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await within(COMMAND_DEADLINE_MS, command(), () => new Error('no answer in time'));
      this.tell(true);
      return answer;
    } catch (error) {
      this.tell(false, error);
      return undefined;
    }
  }

  private tell(isShared: boolean, error?: unknown): void {
    if (isShared === this.isShared) return;
    this.isShared = isShared;
    if (isShared) this.logger.log({ msg: 'connections are counted over all instances again' });
    else this.logger.warn({ msg: 'connections are counted by this instance alone', err: error });
  }
}

/** What has come to nothing is forgotten. */
function add(counts: Map<string, number>, key: string, difference: number): void {
  const count = (counts.get(key) ?? 0) + difference;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
