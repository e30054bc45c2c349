import { Breaker } from './breaker';
import type { ClaimedDelivery } from './claimed-delivery';
import { Pace } from './pace';

/**
 * Deliveries are claimed this far ahead of the endpoint's own speed: what is claimed as it is made, and not once more
 * when it is due, costs a third less. Far less than a lease, so that what waits is begun in time.
 */
const AHEAD_MS = 500;
const MAX_AHEAD = 2_000;
/** What waits is put together under leases, each of which is claimed whole, where no fewer are claimed ahead than this. */
const LEASES_FROM = 64;
const MAX_LEASE = 256;
/** Places that were given out are cut off when there are so many of them, and as many as others. */
const COMPACT_FROM = 64;
/** Weight of the latest attempt in the mean. */
const SMOOTHING = 0.1;

/** One endpoint in this process: what is claimed for it and waits here, and what is under way. */
export class Lane {
  readonly breaker = new Breaker();
  readonly pace = new Pace();
  /** The table may hold more that is due. */
  hasMore = false;
  underWay = 0;
  /** From `#taken` on. */
  #waiting: (ClaimedDelivery | undefined)[] = [];
  #taken = 0;
  #meanMs: number | undefined;

  constructor(
    readonly webhookId: string,
    readonly accountId: string,
    private readonly maxUnderWay: number,
    private readonly perSecond: number,
  ) {}

  get waiting(): number {
    return this.#waiting.length - this.#taken;
  }

  /** Most attempts at once. */
  get limit(): number {
    return this.breaker.isOpen ? 1 : this.maxUnderWay;
  }

  /** How many more to claim. */
  get room(): number {
    return Math.max(0, this.limit + this.#ahead - this.underWay - this.waiting);
  }

  /** True when it is time to claim more. */
  get isShort(): boolean {
    return this.hasMore && this.room > 0 && this.waiting <= this.#ahead / 2;
  }

  /** How many deliveries may wait under one lease; 0: none, or it is not known how fast the endpoint is. */
  get leaseSize(): number {
    return this.#meanMs === undefined || this.#ahead < LEASES_FROM ? 0 : Math.min(MAX_LEASE, this.#ahead);
  }

  /** True when less than a lease can be claimed ahead. */
  get isSlow(): boolean {
    return this.#meanMs !== undefined && this.leaseSize === 0;
  }

  /** Nothing to remember it for. */
  get isIdle(): boolean {
    return this.waiting === 0 && this.underWay === 0 && !this.hasMore && this.breaker.isFresh;
  }

  push(delivery: ClaimedDelivery): void {
    this.#waiting.push(delivery);
  }

  shift(): ClaimedDelivery | undefined {
    const next = this.#waiting[this.#taken];
    if (!next) return undefined;
    // An endpoint that is never caught up with would hold all that it was ever sent.
    this.#waiting[this.#taken] = undefined;
    this.#taken += 1;
    if (this.#taken >= COMPACT_FROM && this.#taken * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#taken);
      this.#taken = 0;
    }
    return next;
  }

  /** An attempt has ended. */
  record(isSuccess: boolean, durationMs: number): void {
    this.breaker.record(isSuccess);
    this.#meanMs =
      this.#meanMs === undefined ? durationMs : this.#meanMs + SMOOTHING * (durationMs - this.#meanMs);
  }

  get #ahead(): number {
    if (this.#meanMs === undefined) return this.limit;
    const perSecond = Math.min(this.perSecond, (this.limit * 1_000) / Math.max(1, this.#meanMs));
    return Math.min(MAX_AHEAD, Math.max(1, Math.ceil((perSecond * AHEAD_MS) / 1_000)));
  }
}
