import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Schema, account } from '../api/client';
import { Button } from '../design/button';
import { Card } from '../design/layout';
import { ErrorNotice, Loading } from '../design/notice';
import { Time } from '../design/values';

type Entry = Schema<'AuditItem'>;

const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam, signal }) => {
    const cursor = pageParam && `&cursor=${encodeURIComponent(pageParam)}`;
    return account<Schema<'AuditList'>>('GET', `audit?limit=20${cursor}`, { signal });
  },
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
  select: ({ pages }) => pages.flatMap(({ entries }) => entries),
});

const ACTORS: Record<Entry['actor'], string> = {
  session: 'a session',
  admin: 'the operator',
  mail: 'a mailed code',
  visitor: 'a visitor',
};

/** The changes of the account with their actors, newest first. */
export function AuditCard(): ReactNode {
  const list = useInfiniteQuery(auditQuery);
  return (
    <Card title="Audit log" aside={<span className="text-sm text-soft">kept for 400 days</span>}>
      {list.isPending && <Loading rows={4} />}
      {list.isError && (
        <div className="p-5">
          <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      <ul>
        {list.data?.map((entry) => (
          <li
            key={entry.id}
            className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 border-b border-line px-5 py-2.5 last:border-0"
          >
            <span>
              <span className="inline-block font-medium first-letter:capitalize">
                {entry.action.replaceAll('_', ' ')}
              </span>
              {entry.details['name'] && <span className="text-soft"> · {entry.details['name']}</span>}
            </span>
            <span className="text-sm text-soft">
              by {ACTORS[entry.actor]}
              {entry.address && ` at ${entry.address}`} · <Time at={entry.createdAt} />
            </span>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <div className="border-t border-line px-5 py-3">
          <Button size="small" isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            Show older entries
          </Button>
        </div>
      )}
    </Card>
  );
}
