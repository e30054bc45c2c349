import { alertMessage } from './alert-messages';
import { wallMs } from './clock';
import type { TestBed } from './test-bed';

/** Events at a steady rate, to accounts in turn. */
export interface SteadyLoad {
  perSecond: number;
  seconds: number;
  accountIds: readonly string[];
}

/**
 * Publishes the load as a relay does: one request at a time, with all events that became due meanwhile.
 * Resolves when it is in the log, with the wall clock at which each event was due, so that a wait for the log
 * counts.
 */
export async function publishSteadily(
  { publisher }: TestBed,
  { perSecond, seconds, accountIds }: SteadyLoad,
): Promise<Map<string, number>> {
  const dueAtMs = new Map<string, number>();
  const count = perSecond * seconds;
  const startedAtMs = wallMs();
  while (dueAtMs.size < count) {
    const due = Math.min(count, Math.floor(((wallMs() - startedAtMs) * perSecond) / 1_000));
    const messages = [];
    while (dueAtMs.size < due) {
      const message = alertMessage(accountIds[dueAtMs.size % accountIds.length] ?? '');
      dueAtMs.set(message.eventId, startedAtMs + ((dueAtMs.size + 1) * 1_000) / perSecond);
      messages.push(message);
    }
    if (messages.length > 0) await publisher.publish(messages);
    else await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return dueAtMs;
}
