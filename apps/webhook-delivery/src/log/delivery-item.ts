import type { DeliveryItem } from '@plimsoll/contracts';
import { SEND_ERRORS, type SendErrorCode } from '../outgoing/send-error';
import type { AttemptRow, DeliveryRow } from './deliveries.repository';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Returns a delivery as the API shows it. */
export function deliveryItem(row: DeliveryRow, attempts: readonly AttemptRow[]): DeliveryItem {
  const { id, webhookId, eventId, event, state, isTest, createdAt, finishedAt, nextAttemptAt } = row;
  return {
    id,
    webhookId,
    eventId,
    event,
    state,
    isTest,
    createdAt: createdAt.toISOString(),
    finishedAt: iso(finishedAt),
    nextAttemptAt: iso(nextAttemptAt),
    attempts: attempts.map(({ attempt, startedAt, durationMs, statusCode, error, responseHead }) => ({
      attempt,
      startedAt: startedAt.toISOString(),
      durationMs,
      statusCode,
      error: error === null ? null : SEND_ERRORS[error as SendErrorCode],
      responseHead,
    })),
  };
}
