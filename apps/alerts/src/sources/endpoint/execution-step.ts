import type { DeliveryV1, ExecutionStatus } from '@plimsoll/contracts';
import type { ExecutionProgress } from '../rule/executions.repository';

/** Returns the progress of the execution whose alert the delivery carries, if there is one. */
export function executionStep(delivery: DeliveryV1): ExecutionProgress {
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
