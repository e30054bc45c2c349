import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Schema, account } from '../api/client';
import { FRESH_MS, freshWhilePaged } from '../api/paged-list';

export type LoggedRequest = Schema<'RequestLogItem'>;
export const STATUSES = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;

export interface RequestFilter {
  requestId?: string | undefined;
  /** A key, or `pages`. Absent: all keys. */
  from?: string | undefined;
  status?: (typeof STATUSES)[number] | undefined;
}

/** The parts of the address of the page. */
export interface RequestsSearch extends RequestFilter {
  /** The request of the drawer. */
  open?: string | undefined;
  /** When it arrived, because clients may send an id again. Absent: the latest with the id. */
  at?: string | undefined;
}

const PAGE = 100;
const MOST = 200;

function readPage(
  filter: Record<string, string | undefined>,
  signal: AbortSignal,
): Promise<Schema<'RequestLogList'>> {
  const given = Object.entries(filter).filter((each): each is [string, string] => Boolean(each[1]));
  return account('GET', `requests?${new URLSearchParams(given).toString()}`, { signal });
}

/** The pages of the portal send many requests, so they have a filter of their own. */
export const PAGES = 'pages';

function sourceOf({ requestId, from }: RequestFilter): Record<string, string | undefined> {
  if (requestId || from)
    return { keyId: from === PAGES ? undefined : from, source: from === PAGES ? 'session' : undefined };
  return { source: 'key' };
}

export const requestsQuery = (filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: ['requests', filter],
    queryFn: ({ pageParam, signal }) =>
      readPage(
        {
          limit: String(PAGE),
          requestId: filter.requestId,
          status: filter.status,
          ...sourceOf(filter),
          cursor: pageParam,
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages, pageParams }) => ({
      requests: pages.flatMap(({ requests }) => requests),
      pages: pageParams.length,
    }),
    staleTime: freshWhilePaged,
  });

/** The latest requests, for Home. */
export const latestRequestsQuery = queryOptions({
  queryKey: ['requests', 'latest'],
  queryFn: async ({ signal }) => (await readPage({ limit: '5', source: 'key' }, signal)).requests,
});

/** The request that the address opens. */
export const isOpened = ({ open, at }: RequestsSearch, { requestId, createdAt }: LoggedRequest): boolean =>
  requestId === open && (at === undefined || at === createdAt);

export const oneRequestQuery = (search: RequestsSearch) =>
  queryOptions({
    queryKey: ['request', search.open, search.at ?? ''],
    queryFn: async ({ signal }) => {
      const { requests } = await readPage({ limit: String(MOST), requestId: search.open }, signal);
      return requests.find((request) => isOpened(search, request)) ?? null;
    },
    // A request that was found does not change.
    staleTime: ({ state }) => (state.data ? 'static' : FRESH_MS),
  });
