import type { ClaimedDelivery } from './claimed-delivery';
import { EndpointQueue } from './endpoint-queue';

/** Bounds of the work of this process. */
export interface QueueLimits {
  /** Attempts whose result is not yet written. */
  total: number;
  perAccount: number;
  perEndpoint: number;
  /** Requests per second to one endpoint. */
  perSecond: number;
  /** The same while intake pressure is high. */
  perSecondUnderPressure: number;
}

interface Account {
  inFlight: number;
  /** Queues that wait for capacity of their account. */
  parked: Set<EndpointQueue>;
}

/** How many more deliveries may be claimed for an endpoint. */
export interface EndpointCapacity {
  webhookId: string;
  accountId: string;
  capacity: number;
  /** How many of those may come from waiting leases: all, or none for a slow endpoint. */
  leaseCapacity: number;
}

/**
 * Chooses the next claimed delivery to send. Endpoints take turns, each within its own bounds and those of
 * its account, so that the backlog of a slow endpoint waits in its own queue.
 */
export class EndpointQueues {
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #accounts = new Map<string, Account>();
  /** Queues whose next delivery may be sent, in the order of their turns. */
  readonly #ready = new Set<EndpointQueue>();
  /** Queues that wait for their rate limit. */
  readonly #rateLimited = new Set<EndpointQueue>();
  readonly #failing = new Set<EndpointQueue>();
  #inFlight = 0;
  #waiting = 0;

  constructor(
    readonly limits: QueueLimits,
    /** Runs `work` after this many milliseconds. */
    private readonly later: (ms: number, work: () => void) => void,
    /** Called when an endpoint must respond to test.ping before it receives more. */
    private readonly onUnverified: (endpoint: { webhookId: string; accountId: string }) => void,
  ) {}

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Claimed deliveries that have not begun. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Endpoints that keep failing. */
  get failing(): number {
    return this.#failing.size;
  }

  /**
   * Returns how many new deliveries of an endpoint may be claimed at insertion. 0 while older ones wait in
   * the table.
   */
  insertCapacity(webhookId: string): number {
    const queue = this.#queues.get(webhookId);
    if (!queue) return this.newEndpointCapacity;
    return queue.hasMore ? 0 : queue.capacity;
  }

  /** Capacity of an endpoint without a queue in this process. */
  get newEndpointCapacity(): number {
    return 2 * this.limits.perEndpoint;
  }

  /** Returns how many deliveries of an endpoint may wait under one lease. 0: each is claimed separately. */
  leaseSize(webhookId: string): number {
    return this.#queues.get(webhookId)?.leaseSize ?? 0;
  }

  /** Endpoints whose deliveries are claimed separately. */
  get slow(): string[] {
    return [...this.#queues.values()].filter(({ isSlow }) => isSlow).map(({ webhookId }) => webhookId);
  }

  /** Capacity of every queue. */
  get capacities(): EndpointCapacity[] {
    return [...this.#queues.values()].map(capacityOf);
  }

  /** Capacity of the queues that need more deliveries. */
  get shortCapacities(): EndpointCapacity[] {
    return [...this.#queues.values()].filter(({ isShort }) => isShort).map(capacityOf);
  }

  /** True when it is time to claim more for an endpoint. */
  isShort(webhookId: string): boolean {
    return this.#queues.get(webhookId)?.isShort === true;
  }

  /**
   * Records that a claim for these endpoints begins. The claim will find out whether the table contains more.
   */
  claiming(webhookIds: readonly string[]): void {
    for (const webhookId of webhookIds) {
      const queue = this.#queues.get(webhookId);
      if (queue) queue.hasMore = false;
    }
  }

  /** Records that the claim has ended. */
  claimed(webhookIds: readonly string[], nowMs: number): void {
    for (const webhookId of webhookIds) {
      const queue = this.#queues.get(webhookId);
      if (queue) this.#forgetIdle(queue, nowMs);
    }
  }

  /** Records that the table may contain more deliveries of an endpoint than were claimed. */
  expectMore(webhookId: string, accountId: string): void {
    this.#queue(webhookId, accountId).hasMore = true;
  }

  add(delivery: ClaimedDelivery): void {
    const queue = this.#queue(delivery.webhookId, delivery.accountId);
    queue.push(delivery);
    this.#waiting += 1;
    this.#offer(queue);
  }

  /**
   * Returns the next delivery, which is then in flight, or undefined when none may begin.
   * @param isPressureHigh true while intake pressure is high
   */
  next(nowMs: number, isPressureHigh: boolean): ClaimedDelivery | undefined {
    const perSecond = isPressureHigh ? this.limits.perSecondUnderPressure : this.limits.perSecond;
    if (this.#inFlight >= this.limits.total) return undefined;
    for (const queue of this.#ready) {
      this.#ready.delete(queue);
      if (queue.inFlight >= queue.limit) continue;
      const account = this.#account(queue.accountId);
      if (account.inFlight >= this.limits.perAccount) {
        account.parked.add(queue);
        continue;
      }
      const waitMs = queue.takeTurn(nowMs, perSecond);
      if (waitMs > 0) {
        this.#rateLimited.add(queue);
        this.later(waitMs, () => this.#resume(queue));
        if (!queue.isVerified) this.onUnverified(queue);
        continue;
      }
      const delivery = queue.shift();
      if (!delivery) continue;
      queue.inFlight += 1;
      account.inFlight += 1;
      this.#inFlight += 1;
      this.#waiting -= 1;
      if (queue.waiting > 0) this.#offer(queue);
      return delivery;
    }
    return undefined;
  }

  /**
   * Records the end of an attempt, which returns capacity to its endpoint and account. `null`: no attempt was
   * made.
   */
  ended(
    { webhookId, accountId }: ClaimedDelivery,
    response: { isSuccess: boolean; durationMs: number } | null,
    nowMs: number,
  ): void {
    const account = this.#account(accountId);
    account.inFlight -= 1;
    for (const parked of account.parked) this.#offer(parked);
    account.parked.clear();
    if (account.inFlight === 0) this.#accounts.delete(accountId);
    const queue = this.#queues.get(webhookId);
    if (!queue) return;
    queue.inFlight -= 1;
    if (response) {
      queue.record(response.isSuccess, response.durationMs);
      if (queue.breaker.isOpen) this.#failing.add(queue);
      else this.#failing.delete(queue);
    }
    if (queue.waiting > 0) this.#offer(queue);
    else this.#forgetIdle(queue, nowMs);
  }

  /** Lets an endpoint that was verified receive its waiting deliveries. */
  verified(webhookId: string): void {
    const queue = this.#queues.get(webhookId);
    if (!queue) return;
    queue.isVerified = true;
    this.#resume(queue);
  }

  /** Records that the results of this many attempts are written. */
  settled(count: number): void {
    this.#inFlight -= count;
  }

  /** Removes and returns all deliveries that have not begun. */
  clear(): ClaimedDelivery[] {
    const waiting: ClaimedDelivery[] = [];
    for (const queue of this.#queues.values()) {
      while (queue.waiting > 0) waiting.push(queue.shift() as ClaimedDelivery);
    }
    this.#waiting = 0;
    this.#ready.clear();
    return waiting;
  }

  #offer(queue: EndpointQueue): void {
    if (!this.#rateLimited.has(queue)) this.#ready.add(queue);
  }

  #resume(queue: EndpointQueue): void {
    this.#rateLimited.delete(queue);
    if (queue.waiting > 0) this.#ready.add(queue);
  }

  #queue(webhookId: string, accountId: string): EndpointQueue {
    const known = this.#queues.get(webhookId);
    if (known) return known;
    const queue = new EndpointQueue(webhookId, accountId, this.limits.perEndpoint, this.limits.perSecond);
    this.#queues.set(webhookId, queue);
    return queue;
  }

  #account(accountId: string): Account {
    const known = this.#accounts.get(accountId);
    if (known) return known;
    const account: Account = { inFlight: 0, parked: new Set() };
    this.#accounts.set(accountId, account);
    return account;
  }

  #forgetIdle(queue: EndpointQueue, nowMs: number): void {
    if (queue.isIdle(nowMs)) this.#queues.delete(queue.webhookId);
  }
}

function capacityOf({ webhookId, accountId, capacity, isSlow }: EndpointQueue): EndpointCapacity {
  return { webhookId, accountId, capacity, leaseCapacity: isSlow ? 0 : capacity };
}
