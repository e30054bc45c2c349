import { alertMessage } from './alert-messages';
import { wallMs } from './clock';
import type { Stand } from './stand';

/** Events at a steady rate, to accounts in turn. */
export interface SteadyLoad {
  perSecond: number;
  seconds: number;
  accountIds: readonly string[];
}

/** Publishes the load; resolves when it is in the log, with the wall clock just before each event was published. */
export async function publishSteadily(
  { publisher }: Stand,
  { perSecond, seconds, accountIds }: SteadyLoad,
): Promise<Map<string, number>> {
  const publishedAtMs = new Map<string, number>();
  const count = perSecond * seconds;
  const published: Promise<void>[] = [];
  const startedAtMs = wallMs();
  while (published.length < count) {
    const due = Math.min(count, Math.floor(((wallMs() - startedAtMs) * perSecond) / 1_000));
    while (published.length < due) {
      const message = alertMessage(accountIds[published.length % accountIds.length] ?? '');
      publishedAtMs.set(message.eventId, wallMs());
      published.push(publisher.publish([message]));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(published);
  return publishedAtMs;
}
