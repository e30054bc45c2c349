import { FairQueue } from './fair-queue';

/** Longest time that a request waits for a slot. See docs/api/limits.md. */
const WAIT_MS = 5_000;

interface Waiter {
  proceed(): void;
  giveUp(): void;
}

/** Slots of one resource. While all are taken, the waiting accounts receive the next ones in fair turns. */
export class FairSlots {
  #taken = 0;
  readonly #waiting: FairQueue<Waiter>;

  /**
   * @param limit most slots that are taken at the same time
   * @param maxWaiting more refuse the newest waiter of the account with the most
   * @param busy the error of a waiter without a slot
   */
  constructor(
    private readonly limit: number,
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
    if (this.#taken < this.limit) this.#taken += 1;
    else await this.#wait(account, cost, signal);
    return () => this.#release();
  }

  #wait(account: string, cost: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', waiter.giveUp);
        this.#waiting.remove(account, waiter);
      };
      const waiter: Waiter = {
        proceed: () => {
          leave();
          resolve();
        },
        giveUp: () => {
          leave();
          reject(this.busy());
        },
      };
      const timer = setTimeout(waiter.giveUp, WAIT_MS);
      signal.addEventListener('abort', waiter.giveUp);
      this.#waiting.add(account, cost, waiter)?.giveUp();
    });
  }

  /** The next waiter receives a released slot directly, so `#taken` does not change. */
  #release(): void {
    const next = this.#waiting.take();
    if (next) next.proceed();
    else this.#taken -= 1;
  }
}
