import { queryOptions } from '@tanstack/react-query';
import { plimsoll } from './client';

/** Most items that the API sends at once. */
const MOST = 200;

/** Names change with a release of the platform only. */
export const NAMES_MS = 3_600_000;

/** Protocols and chains with their names. */
export const registryQuery = queryOptions({
  queryKey: ['registry'],
  queryFn: async ({ signal }) => {
    const [{ protocols }, { chains }] = await Promise.all([
      plimsoll.protocols.list({ limit: MOST, fields: 'id,name' }, { signal }),
      plimsoll.chains.list({ limit: MOST, fields: 'id,name' }, { signal }),
    ]);
    return {
      protocols: new Map(protocols.map(({ id, name }) => [id, name])),
      chains: new Map(chains.map(({ id, name }) => [id, name])),
    };
  },
  staleTime: NAMES_MS,
});

export const walletGroupsQuery = queryOptions({
  queryKey: ['wallet-groups'],
  queryFn: async ({ signal }) => (await plimsoll.walletGroups.list({}, { signal })).walletGroups,
  staleTime: 60_000,
});
