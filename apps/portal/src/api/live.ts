import { type QueryKey, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { QUIET, type Schema, account, plimsoll, sessionQuery } from './client';

type Marks = Schema<'AccountActivity'>;

/** The account API has a window of its own for these requests. */
export const ACTIVITY_MS = 5_000;
/** A list is read again at most this often, so that a page at rest leaves most of the window to its user. */
const LIST_INTERVAL_MS = 10_000;
/** While the user waits for something. */
export const WAITING_MS = 3_000;
/** The lists are read again this seldom without news, in case that one was missed. */
export const FALLBACK_MS = 60_000;
/** GET /v1/events counts toward the window of the session. It changes the usage too, which pages then read again. */
const EVENTS_MS = 12_000;
/** Deliveries of an alert are made while its frame is on its way. The second read shows their outcome. */
const [AFTER_FRAME_MS, OUTCOME_MS] = [250, 1_000];
/** Frames of one block come together. */
export const TOGETHER_MS = 50;

/** The lists that are read again when a mark differs. */
const LISTS: Record<keyof Marks, readonly QueryKey[]> = {
  requests: [['requests']],
  usage: [['usage']],
  keyUses: [['keys']],
  changes: [['session'], ['plan'], ['keys'], ['sessions'], ['audit']],
};

export const activityQuery = queryOptions({
  queryKey: ['activity'],
  queryFn: ({ signal }) => account<Marks>('GET', 'activity', { signal }),
  // A page that begins to wait reads it at once.
  staleTime: 0,
  meta: QUIET,
});

/**
 * Reads the lists of the account again when they have something new. Hidden pages wait.
 * @returns why the last request failed, or null
 */
export function useAccountActivity(): Error | null {
  const queries = useQueryClient();
  const { data: marks, dataUpdatedAt, error } = useQuery({ ...activityQuery, refetchInterval: ACTIVITY_MS });
  const known = useRef<Partial<Record<keyof Marks, { mark: unknown; readAt: number }>>>({});
  useEffect(() => {
    for (const name of marks ? (Object.keys(LISTS) as (keyof Marks)[]) : []) {
      const mark = marks![name];
      const before = known.current[name];
      // A difference that comes too soon is found again with the next marks.
      if (before && (before.mark === mark || dataUpdatedAt - before.readAt < LIST_INTERVAL_MS)) continue;
      known.current[name] = { mark, readAt: before ? dataUpdatedAt : 0 };
      if (before) for (const queryKey of LISTS[name]) void queries.invalidateQueries({ queryKey });
    }
  }, [marks, dataUpdatedAt, queries]);
  return error;
}

const newestEventQuery = queryOptions({
  queryKey: ['events', 'newest'],
  queryFn: async ({ signal }) => {
    const { events } = await plimsoll.events.list({ limit: 1 }, { signal });
    return events[0]?.eventId ?? null;
  },
  staleTime: 0,
  meta: QUIET,
});

/**
 * Returns a function that calls `run` soon after the first of its calls, and then at most once every `everyMs`. A page that was
 * left calls nothing.
 * @param run returns whether to call it again
 * @param everyMs between two runs
 * @param firstMs before a run after a rest, in which further calls are collected
 */
export function useDelayed(run: () => boolean, everyMs: number, firstMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const mayRunAt = useRef(0);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return useCallback(() => {
    const start = (): void => {
      timer.current ??= setTimeout(
        () => {
          timer.current = undefined;
          mayRunAt.current = Date.now() + everyMs;
          if (run()) start();
        },
        Math.max(firstMs, mayRunAt.current - Date.now()),
      );
    };
    start();
  }, [run, everyMs, firstMs]);
}

/**
 * Returns a function that reads queries again soon after the first of its calls, and once more for what follows from it.
 * @param againMs between the two reads
 */
export function useReadTwice(keys: readonly QueryKey[], againMs: number, firstMs: number): () => void {
  const queries = useQueryClient();
  const isFirst = useRef(false);
  const read = useCallback((): boolean => {
    for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
    isFirst.current = !isFirst.current;
    return isFirst.current;
  }, [queries, keys]);
  return useDelayed(read, againMs, firstMs);
}

/** Whether the page is visible. Hidden pages read nothing. */
const useIsShown = (): boolean =>
  useSyncExternalStore(onVisibility, () => document.visibilityState !== 'hidden');

/** Reads lists again after a new event of GET /v1/events, in every plan that has webhooks. */
function useNewEvents(lists: readonly QueryKey[]): void {
  const queries = useQueryClient();
  const tier = useQuery(sessionQuery).data?.account.tier;
  const { data: newest } = useQuery({
    ...newestEventQuery,
    enabled: tier !== undefined && tier !== 'open',
    refetchInterval: EVENTS_MS,
  });
  const known = useRef(newest);
  useEffect(() => {
    const isNew = known.current !== undefined && known.current !== newest;
    known.current = newest;
    if (isNew) for (const queryKey of lists) void queries.invalidateQueries({ queryKey });
  }, [newest, lists, queries]);
}

/** Calls `onFrame` for each frame of a stream, while the page is visible and where the plan has streams. */
export function useStream<Frame>(
  open: (options: { signal: AbortSignal }) => AsyncGenerator<Frame>,
  onFrame: (frame: Frame) => void,
): void {
  const tier = useQuery(sessionQuery).data?.account.tier;
  const isShown = useIsShown();
  useEffect(() => {
    if (tier !== 'enterprise' || !isShown) return undefined;
    const leaving = new AbortController();
    void follow(open({ signal: leaving.signal }), onFrame);
    return () => leaving.abort();
  }, [tier, isShown, open, onFrame]);
}

/** Calls `onFrame` for each frame until the stream ends or gives up. */
async function follow<Frame>(frames: AsyncGenerator<Frame>, onFrame: (frame: Frame) => void): Promise<void> {
  try {
    for await (const frame of frames) onFrame(frame);
  } catch {
    // A request reads the same without the stream, and shows what is wrong.
  }
}

const WEBHOOKS = [['deliveries'], ['webhooks']] as const;
const NEWEST = [newestEventQuery.queryKey] as const;
const alerts = (options: { signal: AbortSignal }) => plimsoll.streams.alerts(options);

/** Reads endpoints and deliveries again after an event: of GET /v1/events, and of the stream where the plan has one. */
export function useWebhookEvents(): void {
  useNewEvents(WEBHOOKS);
  useStream(alerts, useReadTwice(NEWEST, OUTCOME_MS, AFTER_FRAME_MS));
}

function onVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}
