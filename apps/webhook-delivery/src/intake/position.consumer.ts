import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { PositionV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { WatchesRepository } from '../watching/watches.repository';
import { DeliveriesIntake } from './deliveries.intake';
import { positionWebhookEvents } from './webhook-event';

/** Changes of a position go to the endpoints of every account that watches its wallet. */
@Controller()
export class PositionConsumer {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly intake: DeliveriesIntake,
  ) {}

  @EventPattern('position.v1')
  async handle(@Payload() batch: EventBatch<PositionV1>): Promise<void> {
    const changes = batch.events.flatMap((received) =>
      received.value === null
        ? []
        : positionWebhookEvents(received, received.value).map((event) => ({
            wallet: received.value?.wallet ?? '',
            event,
          })),
    );
    if (changes.length === 0) return;
    const watchers = await this.watches.watchersOf(batch.tx, [
      ...new Set(changes.map(({ wallet }) => wallet)),
    ]);
    const addressed = changes.flatMap(({ wallet, event }) =>
      (watchers.get(wallet) ?? []).map((accountId) => ({ accountId, event })),
    );
    await this.intake.take(batch, addressed);
  }
}
