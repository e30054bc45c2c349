import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { WebhookV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { WatchesRepository } from '../../accounts/watches.repository';
import { AlertLifecycle } from '../../lifecycle/alert-lifecycle.service';
import { ExecutionsRepository } from '../rule/executions.repository';
import { deletedText } from './endpoint-alert';
import { EndpointStatesRepository } from './endpoint-states.repository';

/** Handles the deletion of an endpoint: resolves its alert and ends executions that wait for it. */
@Controller()
export class WebhookConsumer {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly endpoints: EndpointStatesRepository,
    private readonly lifecycle: AlertLifecycle,
    private readonly executions: ExecutionsRepository,
    private readonly clock: Clock,
  ) {}

  @EventPattern('webhook.v1')
  async handle(@Payload() { events, tx }: EventBatch<WebhookV1>): Promise<void> {
    const deleted = new Map(events.flatMap((event) => (event.value ? [[event.value.webhookId, event]] : [])));
    const webhookIds = [...deleted.keys()];
    // Without this lock, a rule that fires now could leave an execution that this transaction does not see.
    await this.watches.lockForWriting(tx);
    await this.endpoints.markDeleted(
      tx,
      [...deleted.values()].flatMap(({ value }) => value ?? []),
    );
    await this.executions.skipThoseOf(tx, webhookIds, this.clock.now());
    const active = await this.lifecycle.active(tx, { webhookIds });
    await this.lifecycle.resolve(
      tx,
      active.map((alert) => {
        const webhookId = alert.webhookId ?? '';
        return { alert, text: deletedText(webhookId), cause: deleted.get(webhookId) ?? {} };
      }),
    );
  }
}
