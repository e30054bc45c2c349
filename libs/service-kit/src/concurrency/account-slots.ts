import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';

/** How long a call waits for a slot (decisions.md, Endpoints beyond the tables). */
const WAIT_MS = 5_000;
/** Calls of one account that may wait; more are refused at once. */
const MAX_WAITING = 32;

const busy = (limit: number): Problem =>
  new Problem(
    'upstream_unavailable',
    `This account has ${limit} such calls in work, which is its limit. Wait for one of them, then repeat this one.`,
    { headers: { 'retry-after': '1' } },
  );

interface Slots {
  taken: number;
  /** Called in turn as slots become free. */
  waiting: Set<() => void>;
}

/** Calls in work and waiting, by account. */
@Injectable()
export class AccountSlots {
  readonly #slots = new Map<string, Slots>();

  /**
   * Takes one of `limit` slots of the key, first come, first served. Resolves with what gives it back.
   * @param key group and account
   * @param signal ends the waiting when the caller has left
   * @throws upstream_unavailable (Retry-After) after 5 s, and at once when 32 wait already
   */
  async take(key: string, limit: number, signal: AbortSignal): Promise<() => void> {
    const slots = this.#slots.get(key) ?? { taken: 0, waiting: new Set() };
    this.#slots.set(key, slots);
    if (slots.taken < limit) slots.taken += 1;
    else if (slots.waiting.size >= MAX_WAITING) throw busy(limit);
    else await this.#wait(slots, limit, signal);
    return () => this.#giveBack(key, slots);
  }

  /** A slot that is given back goes to who waits, so `taken` stays as it is. */
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

  #giveBack(key: string, slots: Slots): void {
    const [next] = slots.waiting;
    if (next) next();
    else {
      slots.taken -= 1;
      if (slots.taken === 0) this.#slots.delete(key);
    }
  }
}
