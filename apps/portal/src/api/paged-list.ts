import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';

/** Data of this age is read again when a page needs it. */
export const FRESH_MS = 10_000;

interface ListQuery {
  state: {
    data: { pages: readonly unknown[] } | undefined;
    status: string;
    fetchMeta: { fetchMore?: unknown } | null;
  };
}

/** Whether a list has older pages, or failed to read them. */
export const isPaged = ({ state: { data, status, fetchMeta } }: ListQuery): boolean =>
  (data?.pages.length ?? 0) > 1 || (status === 'error' && fetchMeta?.fetchMore !== undefined);

/** The staleTime of a list. A refetch reads every page, so only `readFirstPage` reads a paged list again. */
export const freshWhilePaged = (query: ListQuery): number | 'static' =>
  isPaged(query) ? 'static' : FRESH_MS;

/** Reads lists again from their first page, without the older ones. */
export async function readFirstPage(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  queries.setQueriesData<InfiniteData<unknown>>(
    { queryKey },
    (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
  );
  await queries.invalidateQueries({ queryKey });
}
