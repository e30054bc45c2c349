import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { DeliverySender } from '../delivery/delivery-sender';
import { Wakeup } from '../delivery/wakeup';
import { NewDeliveries } from './new-deliveries';
import { WaitingEventsRepository } from './waiting-events.repository';

/** Interval of looking for turns that other instances left. */
const POLL_MS = 2_000;
const BACKOFF_BASE_MS = 100;
const BACKOFF_CAP_MS = 5_000;
/** Other accounts count as active for this time after their last event. */
const ACTIVE_MS = 1_000;
/** The pause after each turn, in turns: while other accounts are active, and while intake pressure is high. */
const PAUSE_TURNS = { active: 2, underPressure: 9 };
const MAX_PAUSE_MS = 200;

/** Makes deliveries of waiting events. The accounts take turns. */
@Injectable()
export class TurnsWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('turns');
  readonly #wakeup = new Wakeup();
  #stopping = false;
  #running: Promise<void> = Promise.resolve();
  #afterAccountId = '';
  #directAtMs = -Infinity;
  #failures = 0;

  constructor(
    private readonly pool: Pool,
    private readonly waiting: WaitingEventsRepository,
    private readonly deliveries: NewDeliveries,
    private readonly sender: DeliverySender,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#running = this.#run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping = true;
    this.#wakeup.signal();
    await this.#running;
  }

  /** Call it when events wait. */
  wake(): void {
    this.#wakeup.signal();
  }

  /** Call it when events became deliveries without waiting. Turns then leave time to the next ones. */
  recordDirect(): void {
    this.#directAtMs = performance.now();
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const startedAtMs = performance.now();
      try {
        const isMore = await this.#turn();
        this.#failures = 0;
        if (!isMore) await this.#wakeup.wait(POLL_MS);
        else await delay(Math.min(MAX_PAUSE_MS, this.#pauseTurns * (performance.now() - startedAtMs)));
      } catch (error) {
        this.#failures += 1;
        this.#logger.warn({
          msg: 'cannot make deliveries of waiting events; the next attempt follows',
          err: error,
        });
        const backoffMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** this.#failures);
        await delay(backoffMs * (0.5 + this.clock.random() / 2));
      }
    }
  }

  get #pauseTurns(): number {
    if (this.sender.isIntakePressureHigh) return PAUSE_TURNS.underPressure;
    return performance.now() - this.#directAtMs < ACTIVE_MS ? PAUSE_TURNS.active : 0;
  }

  /** Returns false when no events wait. */
  async #turn(): Promise<boolean> {
    const committed: (() => void)[] = [];
    const isTaken = await inTransaction(this.pool, async (tx) => {
      const turn = await this.waiting.take(tx, this.#afterAccountId);
      if (!turn) return false;
      // Also when it fails: the turn of another account follows.
      this.#afterAccountId = turn.accountId;
      const endpoints = await this.deliveries.endpointsOf(tx, turn.events);
      const afterCommit = (work: () => void): void => void committed.push(work);
      await this.deliveries.insert({ tx, afterCommit }, turn.events, endpoints);
      return true;
    });
    for (const work of committed) work();
    const wasFirst = this.#afterAccountId === '';
    if (!isTaken) this.#afterAccountId = '';
    return isTaken || !wasFirst;
  }
}
