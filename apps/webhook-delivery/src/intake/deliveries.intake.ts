import { Injectable } from '@nestjs/common';
import { DeliverySender } from '../delivery/delivery-sender';
import { divide } from './divide';
import { type AddressedEvent, type IntakeTransaction, NewDeliveries } from './new-deliveries';
import { TurnsWorker } from './turns.worker';
import { WaitingEventsRepository } from './waiting-events.repository';

/** Takes events in, so that Kafka need not keep them. */
@Injectable()
export class DeliveriesIntake {
  constructor(
    private readonly deliveries: NewDeliveries,
    private readonly waiting: WaitingEventsRepository,
    private readonly turns: TurnsWorker,
    private readonly sender: DeliverySender,
  ) {}

  /**
   * Runs in the batch's transaction. Few events of an account become deliveries in it. Many events of an account
   * wait for its turns, so that the events of other accounts behind them in Kafka are taken in soon.
   */
  async take(batch: IntakeTransaction, events: readonly AddressedEvent[]): Promise<void> {
    if (events.length === 0) return;
    this.sender.recordIntake(events.length);
    const endpoints = await this.deliveries.endpointsOf(batch.tx, events);
    const { direct, turns } = divide(events, endpoints);
    if (turns.length > 0 && !(await this.waiting.append(batch.tx, turns)))
      // Kafka keeps the rest of the flood until these are stored.
      direct.push(...turns.flatMap((turn) => turn.events));
    await this.deliveries.insert(batch, direct, endpoints);
    batch.afterCommit(() => {
      // A large batch takes longer, so it is recorded at its start and at its end.
      this.sender.recordIntake(events.length);
      if (direct.length > 0) this.turns.recordDirect();
      if (turns.length > 0) this.turns.wake();
    });
  }
}
