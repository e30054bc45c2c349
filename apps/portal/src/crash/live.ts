import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { FALLBACK_MS, TOGETHER_MS, useDelayed, useStream } from '../api/live';
import { plimsoll, sessionQuery } from '../api/client';
import { isWorse, withAlert } from './alert-list';
import type { Alert } from './alert';
import { activeAlertsQuery } from './requests';

/** Alerts move at most this often. */
const SHOWN_MS = 500;
/** For plans without streams. */
const REST_MS = 12_000;

const alerts = (options: { signal: AbortSignal }) => plimsoll.streams.alerts(options);
type Frame = ReturnType<typeof plimsoll.streams.alerts> extends AsyncGenerator<infer F> ? F : never;

/**
 * Active alerts, the last change first: from the stream of the enterprise plan, and otherwise by reading them.
 * @param onWorse called when one is new or worse
 */
export function useActiveAlerts(onWorse: () => void): UseQueryResult<readonly Alert[]> {
  const queries = useQueryClient();
  const tier = useQuery(sessionQuery).data?.account.tier;
  const waiting = useRef<Alert[]>([]);
  const show = useCallback((): boolean => {
    const { queryKey } = activeAlertsQuery;
    // A read in progress may lack them.
    if (queries.isFetching({ queryKey }) > 0) return true;
    const next = waiting.current;
    waiting.current = [];
    const before = queries.getQueryData(queryKey);
    if (!before) return false;
    if (next.some((alert) => isWorse(before, alert))) onWorse();
    const updatedAt = queries.getQueryState(queryKey)?.dataUpdatedAt;
    queries.setQueryData(queryKey, next.reduce(withAlert, before), { ...(updatedAt && { updatedAt }) });
    return false;
  }, [queries, onWorse]);
  const showLater = useDelayed(show, SHOWN_MS, TOGETHER_MS);
  const onFrame = useCallback(
    (frame: Frame): void => {
      if (frame.type === 'gap') void queries.invalidateQueries({ queryKey: activeAlertsQuery.queryKey });
      // A group of alerts has no remedies, and each of its alerts has a frame too.
      if (frame.type !== 'event' || !('remedies' in frame.data)) return;
      waiting.current.push(frame.data);
      showLater();
    },
    [queries, showLater],
  );
  useStream(alerts, onFrame);
  return useQuery({
    ...activeAlertsQuery,
    enabled: tier !== undefined && tier !== 'open',
    refetchInterval: tier === 'enterprise' ? FALLBACK_MS : REST_MS,
  });
}
