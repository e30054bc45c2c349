import { queryOptions } from '@tanstack/react-query';
import { apiOrigin, sessionFetch } from '../api/origin';
import { type Document, operationsOf } from './operations';

/** The requests of the OpenAPI document. */
export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: async ({ signal }) => {
    const response = await sessionFetch(`${apiOrigin}/openapi.json`, { signal });
    if (!response.ok)
      throw new Error(`The description of the API cannot be read: status ${response.status}.`);
    return operationsOf((await response.json()) as Document);
  },
  staleTime: Infinity,
});
