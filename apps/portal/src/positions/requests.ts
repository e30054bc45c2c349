import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Schema, plimsoll } from '../api/client';
import { freshWhilePaged } from '../api/paged-list';
import { NAMES_MS } from '../api/registry';
import type { Level } from '../design/levels';
import type { Changes } from './held';

export type PositionList = Schema<'PositionList'>;
export type Position = PositionList['positions'][number];

export type PositionDetail = Schema<'PositionDetail'>;
export type PositionAsset = Schema<'PositionAsset'>;
export type NetWorthHistory = Schema<'NetWorthHistory'>;
export type Alert = Schema<'AlertItem'>;

export const SORTS = ['healthFactor', 'totalDebtUsd', 'totalCollateralUsd'] as const;
export type Sort = (typeof SORTS)[number];

export interface PositionFilter {
  /** An address or ENS name. Absent: the watched wallets. */
  wallet?: string | undefined;
  /** The id of a wallet group. */
  group?: string | undefined;
  protocol?: string | undefined;
  chain?: number | undefined;
  level?: Level | undefined;
  /** The highest health factor. */
  health?: number | undefined;
  /** The lowest debt. USD. */
  debt?: number | undefined;
  sort?: Sort | undefined;
}

/** The parts of the address of the page. */
export interface PositionsSearch extends PositionFilter {
  dialog?: 'watch' | undefined;
}

/** The parts of the address of a position's page. */
export interface PositionSearch {
  /** Prices of the scenario. */
  prices?: Changes | undefined;
  /** Days that the simulation looks ahead. */
  horizon?: HorizonDays | undefined;
}

/** Days that a simulation may look ahead. */
export const HORIZONS = [7, 30, 90] as const;
export type HorizonDays = (typeof HORIZONS)[number];

/** The changes that an address has. Others than the sliders have are left out. */
export function changesOf(value: unknown): Changes | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const valid = Object.entries(value).filter(
    (entry): entry is [string, number] =>
      typeof entry[1] === 'number' && entry[1] >= LOWEST_CHANGE && entry[1] <= HIGHEST_CHANGE,
  );
  return valid.length > 0 ? Object.fromEntries(valid) : undefined;
}

/** Ends of the sliders, in percent. */
export const [LOWEST_CHANGE, HIGHEST_CHANGE] = [-90, 100];

/** The filter as parameters of the API. */
export const parametersOf = ({
  wallet,
  group,
  protocol,
  chain,
  level,
  health,
  debt,
  sort,
}: PositionFilter) => ({
  ...(wallet ? { wallet } : group && { walletGroupId: group }),
  ...(protocol && { protocol }),
  ...(chain !== undefined && { chainId: chain }),
  ...(level && { riskLevel: level }),
  ...(health !== undefined && { maxHealthFactor: health }),
  ...(debt !== undefined && { minDebtUsd: debt }),
  ...(sort && { sort }),
});

/** Most items that the API sends at once. */
export const MOST = 200;

/** Positions of all pages that were read, and what belongs to all of them. */
function whole({ pages }: InfiniteData<PositionList>) {
  const [first] = pages;
  return {
    positions: pages.flatMap(({ positions }) => positions),
    pages: pages.length,
    isComplete: pages.at(-1)?.nextCursor === null,
    blocks: first?.asOfBlock ?? {},
    unreadable: pages.at(-1)?.unreadable ?? [],
  };
}

export const POSITIONS = 'positions';

export const positionsQuery = (filter: PositionFilter) =>
  infiniteQueryOptions({
    queryKey: [POSITIONS, filter],
    queryFn: async ({ pageParam, signal }): Promise<PositionList> =>
      await plimsoll.positions.list(
        { ...parametersOf(filter), limit: MOST, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: whole,
    staleTime: freshWhilePaged,
  });

/** Wallets whose labels are read. */
const MOST_WALLETS = 1_000;

/** Watched wallets, with their labels by the address in lower case. */
export const walletsQuery = queryOptions({
  queryKey: ['wallets'],
  queryFn: async ({ signal }) => {
    const wallets = await plimsoll.wallets
      .list({ limit: MOST, fields: 'address,label' }, { signal })
      .take(MOST_WALLETS);
    return new Map(wallets.map(({ address, label }) => [address.toLowerCase(), label]));
  },
  staleTime: 60_000,
});

/** A position with its assets. The open plan reads it from the list of its wallets. Null: it is not among them. */
export const positionQuery = (id: string, tier: string) =>
  queryOptions({
    queryKey: ['position', id],
    queryFn: async ({ signal }): Promise<Detailed | null> => {
      if (tier !== 'open') return plimsoll.positions.get({ id }, { signal });
      const { positions, ...rest } = await plimsoll.positions.list(
        { include: 'assets', limit: MOST },
        { signal },
      );
      const found = positions.find((position) => position.id === id);
      return found?.collateralAssets && found.debtAssets && found.updatedAt
        ? ({ ...found, ...rest } as Detailed)
        : null;
    },
  });

/** A position with its assets, its block and what could not be read. */
export type Detailed = Omit<PositionDetail, 'receipt'>;

/** A chain with its explorer. */
export const chainQuery = (id: number) =>
  queryOptions({
    queryKey: ['chain', id],
    queryFn: async ({ signal }) => (await plimsoll.chains.get({ id: String(id) }, { signal })).chain,
    staleTime: NAMES_MS,
  });

export const HISTORY_BUCKETS = ['hour', 'day'] as const;
export type HistoryBucket = (typeof HISTORY_BUCKETS)[number];

/** The lowest health factor of each hour or day, the newest first. */
export const historyQuery = (id: string, bucket: HistoryBucket) =>
  queryOptions({
    queryKey: ['position-history', id, bucket],
    queryFn: async ({ signal }) => await plimsoll.positions.history({ id, bucket, limit: MOST }, { signal }),
  });

/** Alerts about a position, the newest first. */
export const positionAlertsQuery = (id: string) =>
  queryOptions({
    queryKey: ['position-alerts', id],
    queryFn: async ({ signal }) =>
      (await plimsoll.alerts.list({ positionId: id, limit: MOST }, { signal })).alerts,
  });
