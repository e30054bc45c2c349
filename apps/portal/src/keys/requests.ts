import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { type Schema, account } from '../api/client';

export type Key = Schema<'KeyItem'>;
export type NewKey = Schema<'NewKeyItem'>;
export type Scope = Key['scopes'][number];

/** All scopes, in the order in which a form shows them. */
export const SCOPES: readonly Scope[] = [
  'positions:read',
  'analytics:read',
  'wallets:read',
  'wallets:write',
  'alerts:read',
  'alerts:write',
  'webhooks:read',
  'webhooks:write',
];

export const keysQuery = infiniteQueryOptions({
  queryKey: ['keys'],
  queryFn: ({ pageParam, signal }) =>
    account<Schema<'KeyList'>>('GET', `keys${pageParam && `?cursor=${encodeURIComponent(pageParam)}`}`, {
      signal,
    }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
  select: ({ pages }) => ({
    keys: pages.flatMap(({ keys }) => keys),
    limit: pages[0]?.limit ?? null,
  }),
});

/** Characters of a hint that differ between keys. The others name the kind of key. */
const HINT_END = 4;

/** The names of the newest keys by their id. A name of several keys is followed by the end of their hints. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const { data } = useInfiniteQuery(keysQuery);
  const keys = data?.keys ?? [];
  const isShared = (name: string): boolean => keys.filter((key) => key.name === name).length > 1;
  return new Map(
    keys.map(({ id, name, hint }) => [id, isShared(name) ? `${name} · ${hint.slice(-HINT_END)}` : name]),
  );
}

export const createKey = async (body: Schema<'CreateKeyBody'>): Promise<NewKey> =>
  (await account<Schema<'CreatedKey'>>('POST', 'keys', { body })).key;

export const rotateKey = async ({
  id,
  overlapHours,
}: {
  id: string;
  overlapHours: number;
}): Promise<NewKey> =>
  (await account<Schema<'RotatedKey'>>('POST', `keys/${id}/rotate`, { body: { overlapHours } })).key;

export const revokeKey = (id: string): Promise<unknown> => account('DELETE', `keys/${id}`);
