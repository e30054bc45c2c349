import type { WebhookDisabledReason } from '@plimsoll/contracts';
import type { AttemptResult } from './attempt-result';
import { isSuccess } from './conclude-attempt';

/** An endpoint whose attempts all fail for this long is disabled. */
export const FAILING_FOR_MS = 5 * 86_400_000;

/** An endpoint whose failure must be written. */
export interface FailedEndpoint {
  webhookId: string;
  /** The delivery that failed. */
  deliveryId: string;
  atMs: number;
  /** Why it must be disabled. Null when it only began to fail. */
  reason: WebhookDisabledReason | null;
}

export interface EndpointChanges {
  recovered: string[];
  failed: FailedEndpoint[];
}

/**
 * Returns the changes of endpoints that follow from results. An endpoint that keeps working or keeps failing
 * has none, so that neither costs a write.
 */
export function endpointChanges(
  results: readonly Pick<AttemptResult, 'delivery' | 'sent' | 'atMs' | 'isEndpointDeleted'>[],
): EndpointChanges {
  const made = results.filter(({ sent }) => sent !== null);
  const working = made.filter(({ sent }) => isSuccess(sent?.statusCode ?? null));
  const workingIds = new Set(working.map(({ delivery }) => delivery.webhookId));
  const failed = new Map<string, FailedEndpoint>();
  for (const { delivery, sent, atMs, isEndpointDeleted } of made) {
    const { webhookId, deliveryId, failingSince } = delivery;
    if (isSuccess(sent?.statusCode ?? null)) continue;
    if (isEndpointDeleted) failed.set(webhookId, { webhookId, deliveryId, atMs, reason: 'gone' });
    if (workingIds.has(webhookId) || failed.has(webhookId)) continue;
    if (failingSince === null) failed.set(webhookId, { webhookId, deliveryId, atMs, reason: null });
    else if (atMs - failingSince.getTime() >= FAILING_FOR_MS)
      failed.set(webhookId, { webhookId, deliveryId, atMs, reason: 'failing' });
  }
  const recovered = working.filter(({ delivery }) => delivery.failingSince !== null);
  return {
    recovered: [...new Set(recovered.map(({ delivery }) => delivery.webhookId))],
    failed: [...failed.values()],
  };
}
