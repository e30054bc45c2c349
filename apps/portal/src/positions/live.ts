import {
  type InfiniteData,
  type Query,
  type QueryClient,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { plimsoll, sessionQuery } from '../api/client';
import { TOGETHER_MS, useDelayed, useReadTwice, useStream } from '../api/live';
import { type Change, withChanges } from './changes';
import { POSITIONS, type PositionFilter, type PositionList } from './requests';

/** Changes are shown together, so that rows move at most this often. */
const SHOWN_MS = 700;
/** Each page of a list that lacks a position is read again at most this often. */
const READ_MS = 5_000;
/**
 * The pause between reads. GET /v1/events has only the events of endpoints, so plans without streams read the figures themselves.
 * The quota of the open plan is for a day.
 */
const REST_MS = { slow_polling: 180_000, polling: 12_000, stream: 60_000 };

/** Where the lists learn of changes. */
export type Source = keyof typeof REST_MS;

/** The reads of the page of one position. */
const ONE = [['position'], ['position-history'], ['position-alerts']] as const;
const positions = (options: { signal: AbortSignal }) => plimsoll.streams.positions(options);
type Frame = ReturnType<typeof plimsoll.streams.positions> extends AsyncGenerator<infer F> ? F : never;

/** While the plan is not known yet, reads are seldom. */
function sourceOf(tier: string | undefined): Source {
  if (tier === 'enterprise') return 'stream';
  return tier === undefined || tier === 'open' ? 'slow_polling' : 'polling';
}

/**
 * Keeps the lists of positions up to date: from the stream of the enterprise plan, and otherwise by reading them.
 * @returns the source of changes, and the pause between reads
 */
export function useLivePositions(): { source: Source; restMs: number } {
  const queries = useQueryClient();
  const tier = useQuery(sessionQuery).data?.account.tier;
  const waiting = useRef(new Map<string, Change>());
  const mayReadAt = useRef(0);
  const show = useCallback((): boolean => {
    // A list that is being read may have the figures of an earlier block.
    if (queries.isFetching({ queryKey: [POSITIONS] }) > 0) return true;
    const changes = waiting.current;
    const stale = showChanges(queries, changes);
    // Changes that are shown already have no effect the next time.
    if (stale.length > 0 && Date.now() < mayReadAt.current) return true;
    waiting.current = new Map();
    let pages = 0;
    for (const query of stale) {
      pages += query.state.data?.pages.length ?? 0;
      void query.fetch().catch(() => undefined);
    }
    if (pages > 0) mayReadAt.current = Date.now() + READ_MS * pages;
    return false;
  }, [queries]);
  const showLater = useDelayed(show, SHOWN_MS, TOGETHER_MS);
  const onFrame = useCallback(
    (frame: Frame): void => {
      if (frame.type === 'gap') return;
      for (const change of frame.type === 'snapshot' ? frame.data : [frame.data])
        waiting.current.set(change.id, change);
      showLater();
    },
    [showLater],
  );
  useStream(positions, onFrame);
  const source = sourceOf(tier);
  return { source, restMs: REST_MS[source] };
}

type List = Query<InfiniteData<PositionList>>;

/** Puts changes into the lists. @returns the shown lists that must be read again, with all their pages */
function showChanges(queries: QueryClient, changes: ReadonlyMap<string, Change>): List[] {
  const stale: List[] = [];
  for (const query of queries.getQueryCache().findAll({ queryKey: [POSITIONS] }) as unknown as List[]) {
    const { queryKey, state } = query;
    const { data } = state;
    if (!data) continue;
    const changed = withChanges(data, changes, queryKey[1] as PositionFilter);
    if (changed.isStale && query.isActive()) stale.push(query);
    // The time of the read stays, so that the list is read again when it is due.
    if (changed.data !== data)
      queries.setQueryData(queryKey, changed.data, { updatedAt: state.dataUpdatedAt });
  }
  return stale;
}

/**
 * Reads a position again when the stream has something new.
 * @returns the pause between reads
 */
export function useLivePosition(id: string): number {
  const tier = useQuery(sessionQuery).data?.account.tier;
  const open = useCallback(
    ({ signal }: { signal: AbortSignal }) =>
      plimsoll.streams.positions({ signal, filter: { positionIds: [id] } }),
    [id],
  );
  // The second read shows the alerts of a change.
  const readLater = useReadTwice(ONE, SHOWN_MS, TOGETHER_MS);
  const onFrame = useCallback(({ type }: Frame): void => void (type === 'event' && readLater()), [readLater]);
  useStream(open, onFrame);
  return REST_MS[sourceOf(tier)];
}
