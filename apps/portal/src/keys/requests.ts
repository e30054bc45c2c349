import { infiniteQueryOptions } from '@tanstack/react-query';
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
