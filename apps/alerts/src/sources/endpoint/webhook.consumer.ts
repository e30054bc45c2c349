import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { WebhookV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { ExecutionsRepository } from '../rule/executions.repository';
import { Clock } from '../../clock';
import { WatchesRepository } from '../../accounts/watches.repository';
import { deletedText } from './endpoint-alert';
import { EndpointAlertsRepository } from './endpoint-states.repository';
import { EndpointAlerts } from './endpoint-alerts.service';

/** Handles the deletion of an endpoint: resolves its alert and ends executions that wait for it. */
@Controller()
export class WebhookConsumer {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly repository: EndpointAlertsRepository,
    private readonly alerts: EndpointAlerts,
    private readonly executions: ExecutionsRepository,
    private readonly clock: Clock,
  ) {}

  @EventPattern('webhook.v1')
  async handle(@Payload() { events, tx }: EventBatch<WebhookV1>): Promise<void> {
    const deleted = new Map(events.flatMap((event) => (event.value ? [[event.value.webhookId, event]] : [])));
    const webhookIds = [...deleted.keys()];
    // Without this lock, a rule that fires now could leave an execution that this transaction does not see.
    await this.watches.lockForWriting(tx);
    await this.repository.markDeleted(
      tx,
      [...deleted.values()].flatMap(({ value }) => value ?? []),
    );
    await this.executions.skipThoseOf(tx, webhookIds, this.clock.now());
    for (const alert of await this.repository.active(tx, webhookIds))
      await this.alerts.resolve(tx, alert, deletedText(alert), deleted.get(alert.webhookId) ?? {});
  }
}
