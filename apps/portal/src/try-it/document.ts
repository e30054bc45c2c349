import { queryOptions } from '@tanstack/react-query';
import { apiDocument } from '../api/origin';
import { type Document, operationsOf } from './operations';

/** The requests of the OpenAPI document. */
export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: async ({ signal }) => operationsOf((await apiDocument(signal)) as Document),
  staleTime: Infinity,
});
