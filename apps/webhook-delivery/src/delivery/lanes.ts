import type { ClaimedDelivery } from './claimed-delivery';
import { Lane } from './lane';

/** Bounds of what this process does at once. */
export interface LaneLimits {
  /** Attempts whose result is not yet written. */
  total: number;
  perAccount: number;
  perEndpoint: number;
  /** Requests to one endpoint. */
  perSecond: number;
  /** The same while more comes in than is taken. */
  perSecondInCrowd: number;
}

interface Account {
  underWay: number;
  /** Lanes that wait for a place of their account. */
  parked: Set<Lane>;
}

/** How many more may be claimed for an endpoint. */
export interface Room {
  webhookId: string;
  accountId: string;
  room: number;
  /** Of those, how many may come by leases that wait: all, or none of an endpoint that is slow. */
  leaseRoom: number;
}

/**
 * Decides which of the claimed deliveries is sent next: endpoints take turns, each within its own bounds and its
 * account's, so that what waits for a slow one waits in its own lane.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #accounts = new Map<string, Account>();
  /** Lanes whose next delivery may be sent, in the order of their turns. */
  readonly #ready = new Set<Lane>();
  /** Lanes that wait for their pace. */
  readonly #paced = new Set<Lane>();
  readonly #failing = new Set<Lane>();
  #underWay = 0;
  #waiting = 0;

  constructor(
    readonly limits: LaneLimits,
    /** Calls back after so many milliseconds. */
    private readonly later: (ms: number, work: () => void) => void,
  ) {}

  get underWay(): number {
    return this.#underWay;
  }

  /** Claimed and not yet begun. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Endpoints that keep failing. */
  get failing(): number {
    return this.#failing.size;
  }

  /** How many of an endpoint may be claimed on their way into the table; none while older ones wait there. */
  freshRoom(webhookId: string): number {
    const lane = this.#lanes.get(webhookId);
    if (!lane) return this.newRoom;
    return lane.hasMore ? 0 : lane.room;
  }

  /** How many to claim for an endpoint that nothing is known of. */
  get newRoom(): number {
    return 2 * this.limits.perEndpoint;
  }

  /** How many deliveries of an endpoint may wait under one lease; 0: each is to be claimed by itself. */
  leaseSize(webhookId: string): number {
    return this.#lanes.get(webhookId)?.leaseSize ?? 0;
  }

  /** Endpoints whose deliveries are to be claimed each by itself. */
  get slow(): string[] {
    return [...this.#lanes.values()].filter(({ isSlow }) => isSlow).map(({ webhookId }) => webhookId);
  }

  /** Of every lane. */
  get rooms(): Room[] {
    return [...this.#lanes.values()].map(roomOf);
  }

  /** Of the lanes for which it is time to claim more. */
  get shortRooms(): Room[] {
    return [...this.#lanes.values()].filter(({ isShort }) => isShort).map(roomOf);
  }

  /** True when it is time to claim more for an endpoint. */
  isShort(webhookId: string): boolean {
    return this.#lanes.get(webhookId)?.isShort === true;
  }

  /** A claim for these endpoints begins: it will tell whether the table holds more. */
  claiming(webhookIds: readonly string[]): void {
    for (const webhookId of webhookIds) {
      const lane = this.#lanes.get(webhookId);
      if (lane) lane.hasMore = false;
    }
  }

  /** The claim is over. */
  claimed(webhookIds: readonly string[]): void {
    for (const webhookId of webhookIds) {
      const lane = this.#lanes.get(webhookId);
      if (lane) this.#forgetIdle(lane);
    }
  }

  /** The table may hold more for an endpoint than was claimed. */
  expectMore(webhookId: string, accountId: string): void {
    this.#lane(webhookId, accountId).hasMore = true;
  }

  add(delivery: ClaimedDelivery): void {
    const lane = this.#lane(delivery.webhookId, delivery.accountId);
    lane.push(delivery);
    this.#waiting += 1;
    this.#offer(lane);
  }

  /**
   * Takes the next delivery, which is under way from now on; undefined when none may begin.
   * @param isCrowded true while more comes in than is taken
   */
  next(nowMs: number, isCrowded: boolean): ClaimedDelivery | undefined {
    const perSecond = isCrowded ? this.limits.perSecondInCrowd : this.limits.perSecond;
    if (this.#underWay >= this.limits.total) return undefined;
    for (const lane of this.#ready) {
      this.#ready.delete(lane);
      if (lane.underWay >= lane.limit) continue;
      const account = this.#account(lane.accountId);
      if (account.underWay >= this.limits.perAccount) {
        account.parked.add(lane);
        continue;
      }
      const waitMs = lane.pace.take(nowMs, perSecond);
      if (waitMs > 0) {
        this.#paced.add(lane);
        this.later(waitMs, () => this.#resume(lane));
        continue;
      }
      const delivery = lane.shift();
      if (!delivery) continue;
      lane.underWay += 1;
      account.underWay += 1;
      this.#underWay += 1;
      this.#waiting -= 1;
      if (lane.waiting > 0) this.#offer(lane);
      return delivery;
    }
    return undefined;
  }

  /** An attempt has ended: its endpoint and account have a place again. `null`: none was made. */
  ended(
    { webhookId, accountId }: ClaimedDelivery,
    answer: { isSuccess: boolean; durationMs: number } | null,
  ): void {
    const account = this.#account(accountId);
    account.underWay -= 1;
    for (const parked of account.parked) this.#offer(parked);
    account.parked.clear();
    if (account.underWay === 0) this.#accounts.delete(accountId);
    const lane = this.#lanes.get(webhookId);
    if (!lane) return;
    lane.underWay -= 1;
    if (answer) {
      lane.record(answer.isSuccess, answer.durationMs);
      if (lane.breaker.isOpen) this.#failing.add(lane);
      else this.#failing.delete(lane);
    }
    if (lane.waiting > 0) this.#offer(lane);
    else this.#forgetIdle(lane);
  }

  /** Attempts are over and done with: their results are written, or given up. */
  settled(count: number): void {
    this.#underWay -= count;
  }

  /** Takes out all that has not begun. */
  clear(): ClaimedDelivery[] {
    const waiting: ClaimedDelivery[] = [];
    for (const lane of this.#lanes.values()) {
      while (lane.waiting > 0) waiting.push(lane.shift() as ClaimedDelivery);
    }
    this.#waiting = 0;
    this.#ready.clear();
    return waiting;
  }

  #offer(lane: Lane): void {
    if (!this.#paced.has(lane)) this.#ready.add(lane);
  }

  #resume(lane: Lane): void {
    this.#paced.delete(lane);
    if (lane.waiting > 0) this.#ready.add(lane);
  }

  #lane(webhookId: string, accountId: string): Lane {
    const known = this.#lanes.get(webhookId);
    if (known) return known;
    const lane = new Lane(webhookId, accountId, this.limits.perEndpoint, this.limits.perSecond);
    this.#lanes.set(webhookId, lane);
    return lane;
  }

  #account(accountId: string): Account {
    const known = this.#accounts.get(accountId);
    if (known) return known;
    const account: Account = { underWay: 0, parked: new Set() };
    this.#accounts.set(accountId, account);
    return account;
  }

  #forgetIdle(lane: Lane): void {
    if (lane.isIdle) this.#lanes.delete(lane.webhookId);
  }
}

function roomOf({ webhookId, accountId, room, isSlow }: Lane): Room {
  return { webhookId, accountId, room, leaseRoom: isSlow ? 0 : room };
}
