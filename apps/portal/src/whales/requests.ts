import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Schema, plimsoll } from '../api/client';
import { freshWhilePaged } from '../api/paged-list';

export type Activity = Schema<'WhaleActivityItem'>;
export type Action = Schema<'WhaleAction'>;
export type Cluster = Schema<'WhaleClusterItem'>;
export type ClusterDetail = Schema<'WhaleClusterCluster'>;

export const ACTIONS = ['supply', 'withdraw', 'borrow', 'repay', 'liquidation', 'transfer'] as const;

export interface ActivityFilter {
  wallet?: string | undefined;
  protocol?: string | undefined;
  chain?: number | undefined;
  action?: (typeof ACTIONS)[number] | undefined;
  /** The lowest value. USD. */
  minUsd?: number | undefined;
}

/** The parts of the address of the page. */
export interface WhalesSearch extends ActivityFilter {
  view?: 'clusters' | undefined;
}

const PAGE = 100;

export const activityQuery = (filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: ['whale-activity', filter],
    queryFn: async ({ pageParam, signal }): Promise<Schema<'WhaleActivityList'>> => {
      const { wallet, protocol, chain, action, minUsd } = filter;
      return await plimsoll.whales.activity(
        {
          limit: PAGE,
          ...(wallet && { wallet }),
          ...(protocol && { protocol }),
          ...(chain !== undefined && { chain }),
          ...(action && { action }),
          ...(minUsd !== undefined && { minUsd }),
          ...(pageParam && { cursor: pageParam }),
        },
        { signal },
      );
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => ({
      activity: pages.flatMap(({ activity }) => activity),
      pages: pages.length,
    }),
    staleTime: freshWhilePaged,
  });

export const clustersQuery = infiniteQueryOptions({
  queryKey: ['whale-clusters'],
  queryFn: async ({ pageParam, signal }): Promise<Schema<'WhaleClusterList'>> =>
    await plimsoll.whales.clusters({ limit: PAGE, ...(pageParam && { cursor: pageParam }) }, { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
  select: ({ pages }) => ({ clusters: pages.flatMap(({ clusters }) => clusters), pages: pages.length }),
  staleTime: freshWhilePaged,
});

export const clusterQuery = (id: string) =>
  queryOptions({
    queryKey: ['whale-cluster', id],
    queryFn: async ({ signal }) => (await plimsoll.whales.cluster({ id }, { signal })).cluster,
  });
