import { ApiError } from './errors';
import { GIVE_UP_AFTER_MS, type ResumeOptions, type StreamEvent, type StreamGap } from './frames';
import type { Method, Output } from './operation-types';
import { isPassing, waitBefore } from './retry';
import { pause } from './transport';
import type { WebhookEvent } from './webhooks';

type Item = Output<'listEvents'>['events'][number];

const INTERVAL_MS = 5_000;
const PAGE = 200;
/** Events that are received in the same millisecond may appear in the list one after the other. */
const OVERLAP_MS = 10_000;
/** The API lists the events of 30 days. */
const LISTED_MS = 30 * 86_400_000;
/** Events that a cursor names, so that they are not repeated after a restart. */
const MOST_IN_CURSOR = 200;
/** The end of an id is random, so that this much of it distinguishes the events of seconds. */
const TAIL = 8;

/** A webhook event of the account, by its type. */
export type FollowedEvent = WebhookEvent extends infer E
  ? E extends WebhookEvent
    ? StreamEvent<E['data']> & { event: E['event']; isTest: boolean }
    : never
  : never;

export interface FollowOptions extends ResumeOptions {
  /** Cursor of the last event that was handled, or an ISO 8601 time. Default: from now on. */
  since?: string;
  /** Only events of this type. */
  type?: Item['event'];
  /** Milliseconds between two requests. Default: 5,000. */
  intervalMs?: number;
}

/**
 * Yields the webhook events of the account as they happen, the oldest first and each once, by requests to
 * GET /v1/events. It continues after every interruption. The events since the start are read into memory.
 * @throws ApiError for a refused key or tier, and the last failure after giveUpAfterMs
 */
export async function* followEvents(
  list: Method<'listEvents'>,
  options: FollowOptions = {},
): AsyncGenerator<FollowedEvent | StreamGap, void, undefined> {
  const { type, signal, intervalMs = INTERVAL_MS } = options;
  const read = (since: string | undefined): Promise<Item[]> =>
    readPatiently(async () => {
      const query = { limit: PAGE, ...(type && { type }), ...(since !== undefined && { since }) };
      const events = list(query, { maxRetries: 0, ...(signal && { signal }) });
      // Without a start, the newest page states which events have happened already.
      return since === undefined ? (await events).events : events.take(Number.POSITIVE_INFINITY);
    }, options);
  let { fromMs, seen } = options.since === undefined ? latest(await read(undefined)) : startAt(options.since);
  const firstMs = seen.size === 0 ? fromMs : 0;
  if (options.since !== undefined && fromMs < Date.now() - LISTED_MS)
    yield { type: 'gap', reason: 'window_passed' };
  for (;;) {
    const found = (await read(new Date(Math.max(firstMs, fromMs - OVERLAP_MS)).toISOString())).reverse();
    const yielded = found.map(tailOf).filter((tail) => seen.has(tail));
    for (const item of found) {
      const tail = tailOf(item);
      if (seen.has(tail)) continue;
      fromMs = Math.max(fromMs, Date.parse(item.timestamp));
      yielded.push(tail);
      const cursor = `${fromMs}.${yielded.slice(-MOST_IN_CURSOR).join('')}`;
      yield { type: 'event', ...item, cursor } as FollowedEvent;
    }
    seen = new Set(yielded);
    await pause(intervalMs, signal);
  }
}

interface Start {
  fromMs: number;
  /** Ends of the ids of events that were yielded. */
  seen: Set<string>;
}

const tailOf = ({ eventId }: Item): string => eventId.slice(-TAIL);

/** No clock is compared: the start is the newest event of the service. */
const latest = (items: readonly Item[]): Start => ({
  fromMs: Math.max(0, ...items.map(({ timestamp }) => Date.parse(timestamp))),
  seen: new Set(items.map(tailOf)),
});

/** @throws TypeError */
function startAt(since: string): Start {
  const [, ms, tails = ''] = /^(\d{1,14})\.((?:\w{8})*)$/.exec(since) ?? [];
  const fromMs = ms === undefined ? Date.parse(since) : Number(ms);
  if (Number.isNaN(fromMs)) throw new TypeError('since must be the cursor of an event or an ISO 8601 time.');
  return { fromMs, seen: new Set(tails.match(/.{8}/g)) };
}

/** Repeats a request until it succeeds. */
async function readPatiently<T>(
  attempt: () => Promise<T>,
  { signal, giveUpAfterMs = GIVE_UP_AFTER_MS }: ResumeOptions,
): Promise<T> {
  const startedAt = performance.now();
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const statedMs = error instanceof ApiError ? error.retryAfterMs : null;
      const wait = isPassing(error) ? waitBefore(failures, statedMs, Math.random()) : null;
      if (wait === null || performance.now() - startedAt > giveUpAfterMs) throw error;
      await pause(wait, signal);
    }
  }
}
