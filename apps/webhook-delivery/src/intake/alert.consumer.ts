import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { AlertV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { DeliveriesIntake } from './deliveries.intake';
import { alertWebhookEvent } from '../events/webhook-event';

/** Sends alerts to the endpoints of their account, or to the one that a rule names. */
@Controller()
export class AlertConsumer {
  constructor(private readonly intake: DeliveriesIntake) {}

  @EventPattern('alert.v1')
  async handle(@Payload() batch: EventBatch<AlertV1>): Promise<void> {
    const addressed = batch.events.flatMap((received) => {
      const { value } = received;
      if (value === null) return [];
      const { accountId, targetWebhookId } = value;
      return [{ accountId, targetWebhookId, event: alertWebhookEvent(received, value) }];
    });
    await this.intake.take(batch, addressed);
  }
}
