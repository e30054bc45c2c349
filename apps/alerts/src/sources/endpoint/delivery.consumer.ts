import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { DeliveryV1, ExecutionStatus } from '@plimsoll/contracts';
import type { EventBatch, ReceivedEvent, SqlExecutor } from '@plimsoll/event-bus';
import type { Alert } from '../../lifecycle/alert';
import { AlertLifecycle } from '../../lifecycle/alert-lifecycle.service';
import { type ExecutionProgress, ExecutionsRepository } from '../rule/executions.repository';
import { endpointChange } from './endpoint-alert';
import { EndpointStatesRepository } from './endpoint-states.repository';

type Received = ReceivedEvent<DeliveryV1> & { value: DeliveryV1 };

/**
 * Handles the progress of a delivery: updates executions of webhook rules, and alerts the account of the
 * endpoint.
 */
@Controller()
export class DeliveryConsumer {
  constructor(
    private readonly endpoints: EndpointStatesRepository,
    private readonly lifecycle: AlertLifecycle,
    private readonly executions: ExecutionsRepository,
  ) {}

  @EventPattern('delivery.v1')
  async handle(@Payload() { events, tx }: EventBatch<DeliveryV1>): Promise<void> {
    const received = events.filter((event): event is Received => event.value !== null);
    const seen = await this.endpoints.storeNewest(
      tx,
      received.map(({ value }) => value),
    );
    const fresh = received.filter(
      ({ value }) => Date.parse(value.at) >= (seen.get(value.webhookId)?.seenAtMs ?? 0),
    );
    await this.executions.progress(tx, latestSteps(received));
    const news = fresh.filter(({ value }) => !seen.get(value.webhookId)?.isDeleted);
    const active = new Map<string, Alert>();
    const webhookIds = [...new Set(news.map(({ value }) => value.webhookId))];
    for (const alert of await this.lifecycle.active(tx, { webhookIds }))
      if (alert.webhookId) active.set(alert.webhookId, alert);
    for (const event of news) await this.alert(tx, event, active);
  }

  private async alert(tx: SqlExecutor, event: Received, active: Map<string, Alert>): Promise<void> {
    const { accountId, webhookId } = event.value;
    const known = active.get(webhookId);
    const change = endpointChange(event.value, known?.severity ?? null);
    if (change === null) return;
    if (known) {
      active.delete(webhookId);
      await this.lifecycle.resolve(tx, [{ alert: known, text: change.text, cause: event }]);
    }
    if (change.kind === 'resolve') return;
    const { severity, text } = change;
    const opening = {
      accountId,
      webhookId,
      type: 'webhook_disabled',
      severity,
      ...text,
      cause: event,
    } as const;
    for (const alert of await this.lifecycle.open(tx, [opening])) active.set(webhookId, alert);
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

/** Returns the progress of the execution whose alert the delivery carries, if there is one. */
function executionStep(delivery: DeliveryV1): ExecutionProgress {
  const { eventId, webhookId, state, attempt, statusCode, at, nextAttemptAt } = delivery;
  const response = statusCode === null ? 'no answer' : `status ${statusCode}`;
  const steps: Record<DeliveryV1['state'], { status: ExecutionStatus; result: string }> = {
    pending: { status: 'pending', result: `Waits for its delivery to ${webhookId}.` },
    retrying: {
      status: 'running',
      result: `Attempt ${attempt} at ${webhookId}: ${response}. Next attempt at ${nextAttemptAt}.`,
    },
    delivered: {
      status: 'completed',
      result: `Delivered to ${webhookId} with ${response} in attempt ${attempt}.`,
    },
    failed: { status: 'failed', result: `Not delivered to ${webhookId}: ${response} in attempt ${attempt}.` },
    skipped: { status: 'skipped', result: `Not sent: the endpoint ${webhookId} is disabled.` },
  };
  const isOver = state === 'delivered' || state === 'failed' || state === 'skipped';
  return { eventId, webhookId, ...steps[state], finishedAtMs: isOver ? Date.parse(at) : null };
}
