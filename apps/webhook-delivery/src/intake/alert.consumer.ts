import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { AlertV1, AlertChangeV1, AlertGroupV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { alertWebhookEvent, alertChangeWebhookEvent, groupWebhookEvent } from '../events/webhook-event';
import { DeliveriesIntake } from './deliveries.intake';

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
