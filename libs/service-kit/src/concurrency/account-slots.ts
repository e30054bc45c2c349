import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { FairSlots, type SlotLimits } from './fair-slots';

/** Most waiting requests of one account. Further requests are refused immediately. */
const MAX_WAITING = 32;
/** Most waiting requests of all accounts for the slots that they share. */
const MAX_WAITING_SHARED = 4_096;

const busy = (limit: number): Problem =>
  new Problem(
    'upstream_unavailable',
    `This account has ${limit} such requests in progress, which is its limit. Wait for one of them, then repeat this one.`,
    { headers: { 'retry-after': '1' } },
  );

const allBusy = (): Problem =>
  new Problem(
    'upstream_unavailable',
    'Too many such requests are in progress. Send the request again after the seconds in Retry-After.',
    { headers: { 'retry-after': '1' } },
  );

/** Running and waiting requests by account. */
@Injectable()
export class AccountSlots {
  readonly #own = new Map<string, FairSlots>();
  readonly #shared = new Map<string, FairSlots>();

  /**
   * Takes one of `limit` slots of the key, first come, first served. Resolves with a function that releases
   * the slot.
   * @param key group and account
   * @param signal ends the wait when the client disconnects
   * @throws upstream_unavailable (Retry-After) after 5 s, and immediately when 32 requests wait already
   */
  async acquire(key: string, limit: number, signal: AbortSignal): Promise<() => void> {
    const slots = this.#own.get(key) ?? new FairSlots({ total: limit }, MAX_WAITING, () => busy(limit));
    this.#own.set(key, slots);
    const release = await slots.acquire(key, 1, signal);
    return () => {
      release();
      if (slots.isUnused) this.#own.delete(key);
    };
  }

  /**
   * Takes a slot of the group, which all accounts share. Waiting accounts take fair turns.
   * Resolves with a function that releases the slot.
   * @param group a fixed name
   * @throws upstream_unavailable (Retry-After) after 5 s, and immediately when too many requests wait
   */
  acquireShared(
    group: string,
    limits: SlotLimits,
    accountId: string,
    signal: AbortSignal,
  ): Promise<() => void> {
    const slots = this.#shared.get(group) ?? new FairSlots(limits, MAX_WAITING_SHARED, allBusy);
    this.#shared.set(group, slots);
    return slots.acquire(accountId, 1, signal);
  }

  /**
   * Call it between two steps of a request with a slot of the group. Resolves when no account with
   * at most a quarter of its demand has a slot of the group, at most after 100 ms.
   */
  async yieldToLighter(group: string, accountId: string): Promise<void> {
    await this.#shared.get(group)?.yieldToLighter(accountId);
  }
}
