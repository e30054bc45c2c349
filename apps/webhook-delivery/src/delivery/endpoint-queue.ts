import { Breaker, RateLimiter, UNVERIFIED_PER_MINUTE, UnverifiedAllowance } from './endpoint-limits';
import type { ClaimedDelivery } from './claimed-delivery';

/**
 * Deliveries are claimed this far ahead of the endpoint's speed. A claim at insertion saves a third of the
 * cost of a second claim when due. The time is far shorter than a lease, so that waiting deliveries begin in
 * time.
 */
const AHEAD_MS = 500;
const MAX_AHEAD = 2_000;
/**
 * Waiting deliveries are grouped under leases, which are claimed as a whole, when at least this many are
 * claimed ahead.
 */
const LEASES_FROM = 64;
const MAX_LEASE = 256;
/** The queue removes used slots when there are this many, and at least as many as others. */
const COMPACT_FROM = 64;
/** Weight of the latest attempt in the mean. */
const SMOOTHING = 0.1;

/** The deliveries of one endpoint that this process has claimed: waiting and in flight. */
export class EndpointQueue {
  readonly breaker = new Breaker();
  /** False until the endpoint responds to test.ping. Only a limited number of attempts begins until then. */
  isVerified = false;
  #url = '';
  /** The table may contain more due deliveries. */
  hasMore = false;
  inFlight = 0;
  readonly #rateLimiter = new RateLimiter();
  readonly #unverifiedAllowance = new UnverifiedAllowance();
  /** Valid from `#taken` on. */
  #waiting: (ClaimedDelivery | undefined)[] = [];
  #taken = 0;
  #meanMs: number | undefined;

  constructor(
    readonly webhookId: string,
    readonly accountId: string,
    private readonly maxInFlight: number,
    private readonly perSecond: number,
  ) {}

  get waiting(): number {
    return this.#waiting.length - this.#taken;
  }

  /** Most attempts in flight. */
  get limit(): number {
    return this.breaker.isOpen ? 1 : this.maxInFlight;
  }

  /** How many more deliveries to claim. */
  get capacity(): number {
    return Math.max(0, this.limit + this.#ahead - this.inFlight - this.waiting);
  }

  /** True when it is time to claim more. */
  get isShort(): boolean {
    return this.hasMore && this.capacity > 0 && this.waiting <= this.#ahead / 2;
  }

  /** How many deliveries may wait under one lease. 0 for none, or while the endpoint's speed is unknown. */
  get leaseSize(): number {
    return this.#meanMs === undefined || this.#ahead < LEASES_FROM ? 0 : Math.min(MAX_LEASE, this.#ahead);
  }

  /** True when fewer deliveries than a lease can be claimed ahead. */
  get isSlow(): boolean {
    return this.#meanMs !== undefined && this.leaseSize === 0;
  }

  /** True when the queue has no state worth keeping. */
  isIdle(nowMs: number): boolean {
    const isEmpty = this.waiting === 0 && this.inFlight === 0 && !this.hasMore;
    return isEmpty && this.breaker.isFresh && (this.isVerified || this.#unverifiedAllowance.isFull(nowMs));
  }

  push(delivery: ClaimedDelivery): void {
    const { isVerified, url } = delivery.target;
    // A claim may be older than the verification. A new URL must be verified again.
    if (isVerified || url !== this.#url) this.isVerified = isVerified;
    this.#url = url;
    this.#waiting.push(delivery);
  }

  shift(): ClaimedDelivery | undefined {
    const next = this.#waiting[this.#taken];
    if (!next) return undefined;
    // Otherwise a queue that is never empty would keep every delivery that it ever had.
    this.#waiting[this.#taken] = undefined;
    this.#taken += 1;
    if (this.#taken >= COMPACT_FROM && this.#taken * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#taken);
      this.#taken = 0;
    }
    return next;
  }

  /** Returns the milliseconds until the next attempt may begin. 0 means now, and counts the attempt. */
  takeTurn(nowMs: number, perSecond: number): number {
    const waitMs = this.#rateLimiter.take(nowMs, perSecond);
    return waitMs === 0 && !this.isVerified ? this.#unverifiedAllowance.take(nowMs) : waitMs;
  }

  /** Records the end of an attempt. */
  record(isSuccess: boolean, durationMs: number): void {
    this.breaker.record(isSuccess);
    this.#meanMs =
      this.#meanMs === undefined ? durationMs : this.#meanMs + SMOOTHING * (durationMs - this.#meanMs);
  }

  get #ahead(): number {
    if (this.#meanMs === undefined) return this.limit;
    const allowed = this.isVerified ? this.perSecond : UNVERIFIED_PER_MINUTE / 60;
    const perSecond = Math.min(allowed, (this.limit * 1_000) / Math.max(1, this.#meanMs));
    return Math.min(MAX_AHEAD, Math.max(1, Math.ceil((perSecond * AHEAD_MS) / 1_000)));
  }
}
