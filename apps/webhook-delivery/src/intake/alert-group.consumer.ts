import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { AlertGroupV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { DeliveriesIntake } from './deliveries.intake';
import { groupWebhookEvent } from '../events/webhook-event';

/** Sends alert groups to the endpoints of their account that subscribe to them. */
@Controller()
export class AlertGroupConsumer {
  constructor(private readonly intake: DeliveriesIntake) {}

  @EventPattern('alert-group.v1')
  async handle(@Payload() batch: EventBatch<AlertGroupV1>): Promise<void> {
    const addressed = batch.events.flatMap((received) => {
      const { value } = received;
      return value === null
        ? []
        : [{ accountId: value.accountId, event: groupWebhookEvent(received, value) }];
    });
    await this.intake.take(batch, addressed);
  }
}
