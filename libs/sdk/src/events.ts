import type { Plimsoll } from './client';
import type { Input, Output } from './operation-types';
import { type CallOptions, pause } from './transport';

type Event = Output<'listEvents'>['events'][number];
const INTERVAL_MS = 5_000;
const PAGE = 200;
/** Events that are received in the same millisecond may appear in the list one after the other. */
const OVERLAP_MS = 10_000;

export interface FollowOptions extends Pick<Input<'listEvents'>, 'type'>, Pick<CallOptions, 'signal'> {
  /** Only events received at this time (ISO 8601) or later. Default: now. */
  since?: string;
  /** Milliseconds between two requests. Default: 5,000. */
  intervalMs?: number;
}

/**
 * Yields the webhook events of the account as they happen, the oldest first and each once, by requests to
 * GET /v1/events. It needs no stream, so it works in every tier with webhooks.
 */
export async function* followEvents(
  client: Plimsoll,
  { type, since, signal, intervalMs = INTERVAL_MS }: FollowOptions = {},
): AsyncGenerator<Event, void, undefined> {
  let fromMs = since === undefined ? Date.now() : Date.parse(since);
  if (Number.isNaN(fromMs)) throw new TypeError('since must be an ISO 8601 time.');
  const firstMs = fromMs;
  let seen = new Set<string>();
  for (;;) {
    const atMs = Math.max(firstMs, fromMs - OVERLAP_MS);
    const query = { since: new Date(atMs).toISOString(), limit: PAGE, ...(type && { type }) };
    const found: Event[] = [];
    for await (const event of client.events.list(query, signal ? { signal } : {})) found.push(event);
    const kept = new Set<string>();
    for (const event of found.reverse()) {
      kept.add(event.eventId);
      fromMs = Math.max(fromMs, Date.parse(event.timestamp));
      if (!seen.has(event.eventId)) yield event;
    }
    seen = kept;
    await pause(intervalMs, signal);
  }
}
