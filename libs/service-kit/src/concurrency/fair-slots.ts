import { AccountUsage } from './account-usage';
import { FairQueue } from './fair-queue';
import { YIELD_MS, YieldingRequests } from './yielding-requests';

/** Longest time that a request waits for a slot. See docs/api/limits.md. */
const WAIT_MS = 5_000;

/**
 * A request that takes longer mostly waits for another system. It no longer counts for its account, so that the next
 * one may begin. Time for which it yields does not count. On a machine with much other work, a request without such a
 * wait takes 50 to 150 ms.
 */
const LONG_MS = 250;

/** How many requests use one resource at the same time. */
export interface SlotLimits {
  /** Requests of all accounts. */
  total: number;
  /**
   * Requests of an account beside one with less demand. The default is `total`. Less leaves slots free for the
   * others, and the last free slot is for the account with the least demand. An account with four times its demand
   * also pauses after each request, for as long as it took.
   */
  perAccount?: number;
}

interface Waiter {
  account: string;
  proceed(): void;
  giveUp(): void;
}

/** Slots of one resource. While all are taken, the waiting accounts receive the next ones in fair turns. */
export class FairSlots {
  #taken = 0;
  /** Requests of each account that count, or after which it pauses. */
  readonly #counted = new Map<string, number>();
  /** Time for which requests of each account with counted ones yielded. */
  readonly #yieldedMs = new Map<string, number>();
  readonly #usage = new AccountUsage();
  readonly #yielding = new YieldingRequests();
  readonly #waiting: FairQueue<Waiter>;

  /**
   * @param maxWaiting more refuse the newest waiter of the account with the most
   * @param busy the error of a waiter without a slot
   */
  constructor(
    private readonly limits: SlotLimits,
    maxWaiting: number,
    private readonly busy: () => Error,
  ) {
    this.#waiting = new FairQueue(maxWaiting);
  }

  get isUnused(): boolean {
    return this.#taken === 0;
  }

  /**
   * Resolves with a function that releases the slot.
   * @param cost share of the resource that the request uses, in any unit
   * @param signal ends the wait when the client disconnects
   * @throws `busy()` after 5 s, and immediately when too many wait
   */
  async acquire(account: string, cost: number, signal: AbortSignal): Promise<() => void> {
    this.#usage.enter(account, performance.now());
    if (this.#taken < this.limits.total && this.#mayTake(account)) this.#take(account);
    else await this.#wait(account, cost, signal);
    if (this.limits.perAccount !== undefined) await this.yieldToLighter(account);
    return this.#begin(account);
  }

  /**
   * Call it between two steps of a request with a slot. Resolves when no account with at most a quarter of its demand
   * has a slot, at most after 100 ms. Such a request then waits for one step and not for all of them.
   */
  async yieldToLighter(account: string): Promise<void> {
    const startedAtMs = performance.now();
    if (!this.#usage.isHeavy(account, startedAtMs)) return;
    // All of it beforehand, because a request may become long while it yields.
    this.#addYielded(account, YIELD_MS);
    await this.#yielding.wait(() => this.#usage.isBesideLighter(account, performance.now()));
    this.#addYielded(account, performance.now() - startedAtMs - YIELD_MS);
  }

  #addYielded(account: string, ms: number): void {
    if (this.#counted.has(account)) this.#yieldedMs.set(account, this.#yieldedOf(account) + ms);
  }

  #yieldedOf(account: string): number {
    return this.#yieldedMs.get(account) ?? 0;
  }

  #wait(account: string, cost: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', waiter.giveUp);
        this.#waiting.remove(account, waiter);
      };
      const waiter: Waiter = {
        account,
        proceed: () => {
          leave();
          resolve();
        },
        giveUp: () => {
          leave();
          this.#usage.giveUp(account, performance.now());
          this.#yielding.resume();
          reject(this.busy());
        },
      };
      const timer = setTimeout(waiter.giveUp, WAIT_MS);
      signal.addEventListener('abort', waiter.giveUp);
      this.#waiting.add(account, cost, waiter)?.giveUp();
    });
  }

  /** Returns the function that releases the slot. */
  #begin(account: string): () => void {
    const startedAtMs = performance.now();
    const isLimited = this.limits.perAccount !== undefined;
    let isCounted = true;
    const uncount = (): void => {
      if (isCounted) this.#uncount(account);
      isCounted = false;
      this.#serve();
    };
    let long: NodeJS.Timeout | undefined;
    const uncountAfter = (ms: number): void => {
      const before = this.#yieldedOf(account);
      long = setTimeout(() => {
        const yieldedMs = this.#yieldedOf(account) - before;
        if (yieldedMs > 0) uncountAfter(yieldedMs);
        else uncount();
      }, ms).unref();
    };
    if (isLimited) uncountAfter(LONG_MS);
    return () => {
      clearTimeout(long);
      const nowMs = performance.now();
      const usedMs = nowMs - startedAtMs;
      this.#taken -= 1;
      this.#usage.end(account, nowMs);
      this.#yielding.resume();
      const isPausing = isLimited && isCounted && this.#usage.isHeavy(account, nowMs);
      if (isPausing) setTimeout(uncount, usedMs).unref();
      else uncount();
      this.#serve();
    };
  }

  #uncount(account: string): void {
    const own = (this.#counted.get(account) ?? 0) - 1;
    if (own > 0) this.#counted.set(account, own);
    else {
      this.#counted.delete(account);
      this.#yieldedMs.delete(account);
    }
  }

  #serve(): void {
    while (this.#taken < this.limits.total) {
      const next = this.#waiting.take((waiter) => this.#mayTake(waiter.account));
      if (!next) return;
      this.#take(next.account);
      next.proceed();
    }
  }

  #mayTake(account: string): boolean {
    const { total, perAccount } = this.limits;
    const own = this.#counted.get(account) ?? 0;
    if (perAccount === undefined || !this.#usage.demandsMore(account, performance.now())) return own < total;
    return own < perAccount && this.#taken < total - 1;
  }

  #take(account: string): void {
    this.#taken += 1;
    this.#usage.begin(account);
    this.#counted.set(account, (this.#counted.get(account) ?? 0) + 1);
  }
}
