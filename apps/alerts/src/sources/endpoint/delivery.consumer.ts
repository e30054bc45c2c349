import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { DeliveryV1 } from '@plimsoll/contracts';
import type { EventBatch, ReceivedEvent, SqlExecutor } from '@plimsoll/event-bus';
import { type ExecutionProgress, ExecutionsRepository } from '../rule/executions.repository';
import { executionStep } from './execution-step';
import { type EndpointAlert, endpointChange } from './endpoint-alert';
import { EndpointAlertsRepository } from './endpoint-states.repository';
import { EndpointAlerts } from './endpoint-alerts.service';

type Received = ReceivedEvent<DeliveryV1> & { value: DeliveryV1 };

/**
 * Handles the progress of a delivery: updates executions of webhook rules, and alerts the account of the
 * endpoint.
 */
@Controller()
export class DeliveryConsumer {
  constructor(
    private readonly repository: EndpointAlertsRepository,
    private readonly alerts: EndpointAlerts,
    private readonly executions: ExecutionsRepository,
  ) {}

  @EventPattern('delivery.v1')
  async handle(@Payload() { events, tx }: EventBatch<DeliveryV1>): Promise<void> {
    const received = events.filter((event): event is Received => event.value !== null);
    const seen = await this.repository.storeNewest(
      tx,
      received.map(({ value }) => value),
    );
    const fresh = received.filter(
      ({ value }) => Date.parse(value.at) >= (seen.get(value.webhookId)?.seenAtMs ?? 0),
    );
    await this.executions.progress(tx, latestSteps(received));
    const news = fresh.filter(({ value }) => !seen.get(value.webhookId)?.isDeleted);
    const active = new Map<string, EndpointAlert>();
    const webhookIds = [...new Set(news.map(({ value }) => value.webhookId))];
    for (const alert of await this.repository.active(tx, webhookIds)) active.set(alert.webhookId, alert);
    for (const event of news) await this.alert(tx, event, active);
  }

  private async alert(tx: SqlExecutor, event: Received, active: Map<string, EndpointAlert>): Promise<void> {
    const { webhookId } = event.value;
    const known = active.get(webhookId);
    const change = endpointChange(event.value, known?.severity ?? null);
    if (change === null) return;
    if (known) {
      active.delete(webhookId);
      await this.alerts.resolve(tx, known, change.text, event);
    }
    if (change.kind === 'resolve') return;
    active.set(webhookId, await this.alerts.open(tx, event.value, change.severity, change.text, event));
  }
}

/**
 * Returns the progress of the executions by the newest of these deliveries. A delivery counts even when
 * another of its endpoint is newer: instances of webhook-delivery publish in no common order, and a finished
 * execution does not change.
 */
function latestSteps(received: readonly Received[]): ExecutionProgress[] {
  const newest = new Map<string, DeliveryV1>();
  for (const { value } of received) {
    const execution = `${value.eventId} ${value.webhookId}`;
    if (value.at >= (newest.get(execution)?.at ?? '')) newest.set(execution, value);
  }
  return [...newest.values()].map(executionStep);
}
