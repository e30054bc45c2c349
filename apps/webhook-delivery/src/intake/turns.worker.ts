import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { DeliverySender } from '../delivery/delivery-sender';
import { type Rest, WorkLoop } from '../delivery/work-loop';
import { NewDeliveries } from './new-deliveries';
import { WaitingEventsRepository } from './waiting-events.repository';

/** Interval of looking for turns that other instances left. */
const POLL_MS = 2_000;
/** Other accounts count as active for this time after their last event. */
const ACTIVE_MS = 1_000;
/** The pause after each turn, in turns: while other accounts are active, and while intake pressure is high. */
const PAUSE_TURNS = { active: 2, underPressure: 9 };
const MAX_PAUSE_MS = 200;

/** Makes deliveries of waiting events. The accounts take turns. */
@Injectable()
export class TurnsWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #loop: WorkLoop;
  #afterAccountId = '';
  #directAtMs = -Infinity;

  constructor(
    private readonly pool: Pool,
    private readonly waiting: WaitingEventsRepository,
    private readonly deliveries: NewDeliveries,
    private readonly sender: DeliverySender,
    clock: Clock,
  ) {
    const failure = 'cannot make deliveries of waiting events';
    this.#loop = new WorkLoop(new Logger('turns'), failure, () => clock.random());
  }

  onApplicationBootstrap(): void {
    this.#loop.start(() => this.#step());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#loop.stop();
  }

  /** Call it when events wait. */
  wake(): void {
    this.#loop.wake();
  }

  /** Call it when events became deliveries without waiting. Turns then leave time to the next ones. */
  recordDirect(): void {
    this.#directAtMs = performance.now();
  }

  async #step(): Promise<Rest> {
    const startedAtMs = performance.now();
    if (!(await this.#turn())) return { untilWokenMs: POLL_MS };
    return { pauseMs: Math.min(MAX_PAUSE_MS, this.#pauseTurns * (performance.now() - startedAtMs)) };
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
