import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { PositionV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { RecentEventsRepository } from '../watching/recent-events.repository';
import { WatchesRepository } from '../watching/watches.repository';
import { DeliveriesIntake } from './deliveries.intake';
import { positionWebhookEvents } from '../events/webhook-event';

/**
 * Sends changes of a position to the endpoints of every account that watches its wallet, now or when the
 * watch becomes known.
 */
@Controller()
export class PositionConsumer {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly recent: RecentEventsRepository,
    private readonly intake: DeliveriesIntake,
  ) {}

  @EventPattern('position.v1')
  async handle(@Payload() batch: EventBatch<PositionV1>): Promise<void> {
    const changes = batch.events.flatMap((received) => {
      const { value, time: madeAtMs } = received;
      if (value === null) return [];
      return positionWebhookEvents(received, value).map((event) => ({
        wallet: value.wallet,
        madeAtMs,
        event,
      }));
    });
    if (changes.length === 0) return;
    await this.watches.lockForReading(batch.tx);
    await this.recent.remember(batch.tx, changes);
    const wallets = [...new Set(changes.map(({ wallet }) => wallet))];
    const watchers = await this.watches.watchersOf(batch.tx, wallets);
    const addressed = changes.flatMap(({ wallet, event }) =>
      (watchers.get(wallet) ?? []).map((accountId) => ({ accountId, event })),
    );
    await this.intake.take(batch, addressed);
  }
}
