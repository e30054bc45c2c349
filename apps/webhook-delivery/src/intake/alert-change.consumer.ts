import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { AlertChangeV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { DeliveriesIntake } from './deliveries.intake';
import { alertChangeWebhookEvent } from '../events/webhook-event';

/** Sends changes of active alerts to the endpoints of their account that subscribe to them. */
@Controller()
export class AlertChangeConsumer {
  constructor(private readonly intake: DeliveriesIntake) {}

  @EventPattern('alert-change.v1')
  async handle(@Payload() batch: EventBatch<AlertChangeV1>): Promise<void> {
    const addressed = batch.events.flatMap((received) => {
      const { value } = received;
      if (value === null) return [];
      const { accountId, targetWebhookId } = value;
      return [{ accountId, targetWebhookId, event: alertChangeWebhookEvent(received, value) }];
    });
    await this.intake.take(batch, addressed);
  }
}
