import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { type AlertV1, type DeliveryV1, newId } from '@plimsoll/contracts';
import {
  type EventBatch,
  type ReceivedEvent,
  type SqlExecutor,
  appendToOutbox,
  outgoing,
} from '@plimsoll/event-bus';
import { continueCorrelation } from '@plimsoll/service-kit';
import { ExecutionsRepository } from '../automation/executions.repository';
import { Clock } from '../clock';
import type { AlertText } from '../evaluation/alert-text';
import { executionStep } from './execution-step';
import { type EndpointAlert, endpointChange } from './endpoint-alert';
import { EndpointAlertsRepository } from './endpoint-alerts.repository';

type Told = ReceivedEvent<DeliveryV1> & { value: DeliveryV1 };

/** A delivery came further: executions of webhook rules follow it, and its endpoint's account is alerted. */
@Controller()
export class DeliveryConsumer {
  constructor(
    private readonly alerts: EndpointAlertsRepository,
    private readonly executions: ExecutionsRepository,
    private readonly clock: Clock,
  ) {}

  @EventPattern('delivery.v1')
  async handle(@Payload() { events, tx }: EventBatch<DeliveryV1>): Promise<void> {
    const told = events.filter((event): event is Told => event.value !== null);
    const seen = await this.alerts.seen(
      tx,
      told.map(({ value }) => value),
    );
    const fresh = told.filter(({ value }) => Date.parse(value.at) >= (seen.get(value.webhookId) ?? 0));
    const steps = new Map(fresh.map(({ value }) => [value.deliveryId, executionStep(value)]));
    await this.executions.progress(tx, [...steps.values()]);
    const active = new Map<string, EndpointAlert>();
    const webhookIds = [...new Set(fresh.map(({ value }) => value.webhookId))];
    for (const alert of await this.alerts.active(tx, webhookIds)) active.set(alert.webhookId, alert);
    for (const event of fresh) await this.alert(tx, event, active);
  }

  private async alert(tx: SqlExecutor, event: Told, active: Map<string, EndpointAlert>): Promise<void> {
    const { webhookId, accountId } = event.value;
    const known = active.get(webhookId);
    const change = endpointChange(event.value, known?.severity ?? null);
    if (change === null) return;
    if (known) {
      active.delete(webhookId);
      await this.alerts.resolve(tx, known.id, this.clock.now());
      await this.tell(tx, event, known, change.text, true);
    }
    if (change.kind === 'resolve') return;
    const { severity, text } = change;
    const of = { id: newId('alt'), accountId, webhookId };
    const opened: EndpointAlert = { ...of, severity, ...text, createdAtMs: this.clock.now() };
    active.set(webhookId, opened);
    await this.alerts.insert(tx, opened);
    await this.tell(tx, event, opened, text, false);
  }

  private async tell(
    tx: SqlExecutor,
    { requestId, traceparent }: Told,
    { id: alertId, accountId, severity, createdAtMs }: EndpointAlert,
    { title, message }: AlertText,
    isResolved: boolean,
  ): Promise<void> {
    const value: AlertV1 = {
      alertId,
      accountId,
      status: isResolved ? 'resolved' : 'active',
      type: 'webhook_disabled',
      severity,
      title,
      message,
      position: null,
      confidenceScore: 1,
      createdAt: new Date(createdAtMs).toISOString(),
      resolvedAt: isResolved ? new Date(this.clock.now()).toISOString() : null,
    };
    await appendToOutbox(tx, [outgoing('alert.v1', value, continueCorrelation(requestId, traceparent))]);
  }
}
