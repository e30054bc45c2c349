import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';

/** Longest time a request waits for a slot. See docs/api/README.md. */
const WAIT_MS = 5_000;
/** Most waiting requests of one account. Further requests are refused immediately. */
const MAX_WAITING = 32;

const busy = (limit: number): Problem =>
  new Problem(
    'upstream_unavailable',
    `This account has ${limit} such requests in progress, which is its limit. Wait for one of them, then repeat this one.`,
    { headers: { 'retry-after': '1' } },
  );

interface Slots {
  taken: number;
  /** Callbacks to run in order as slots become free. */
  waiting: Set<() => void>;
}

/** Running and waiting requests by account. */
@Injectable()
export class AccountSlots {
  readonly #slots = new Map<string, Slots>();

  /**
   * Takes one of `limit` slots of the key, first come, first served. Resolves with a function that releases
   * the slot.
   * @param key group and account
   * @param signal ends the wait when the client disconnects
   * @throws upstream_unavailable (Retry-After) after 5 s, and immediately when 32 requests wait already
   */
  async acquire(key: string, limit: number, signal: AbortSignal): Promise<() => void> {
    const slots = this.#slots.get(key) ?? { taken: 0, waiting: new Set() };
    this.#slots.set(key, slots);
    if (slots.taken < limit) slots.taken += 1;
    else if (slots.waiting.size >= MAX_WAITING) throw busy(limit);
    else await this.#wait(slots, limit, signal);
    return () => this.#release(key, slots);
  }

  /** The next waiter receives a released slot directly, so `taken` does not change. */
  #wait({ waiting }: Slots, limit: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        waiting.delete(proceed);
      };
      const giveUp = (): void => {
        leave();
        reject(busy(limit));
      };
      const proceed = (): void => {
        leave();
        resolve();
      };
      const timer = setTimeout(giveUp, WAIT_MS);
      signal.addEventListener('abort', giveUp);
      waiting.add(proceed);
    });
  }

  #release(key: string, slots: Slots): void {
    const [next] = slots.waiting;
    if (next) next();
    else {
      slots.taken -= 1;
      if (slots.taken === 0) this.#slots.delete(key);
    }
  }
}
