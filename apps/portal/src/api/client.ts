import { ApiError, ConnectionError, Plimsoll, TimeoutError, type components } from '@plimsoll/sdk';
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { apiOrigin, sessionFetch } from './origin';
import { FRESH_MS } from './paged-list';

/** A body or response of the API, by its name in the OpenAPI document. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The API with the session of this browser. React Query repeats reads, and nothing repeats a change. */
export const plimsoll = new Plimsoll({
  apiKey: undefined,
  session: true,
  baseUrl: apiOrigin,
  fetch: sessionFetch,
  maxRetries: 0,
});

type Method = 'GET' | 'POST' | 'DELETE';

/** Sends a request to the account API, which the SDK has no methods for. */
export function account<T>(
  method: Method,
  path: string,
  { body, signal }: { body?: object; signal?: AbortSignal } = {},
): Promise<T> {
  const call = { method, path: `/account/v1/${path}`, ...(body && { body }) };
  return plimsoll.transport.send(call, signal && { signal }) as Promise<T>;
}

/** Whether the same request can succeed a moment later. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500;
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

/** Without a cookie, `/v1` responds that a key is missing. */
const SIGNED_OUT: ReadonlySet<string> = new Set(['not_signed_in', 'missing_api_key']);

export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && SIGNED_OUT.has(error.code);

/** The reaction to an ended session. The router sets it. */
const whenSignedOut = { run: (): void => {} };

export function onSignedOut(run: () => void): void {
  whenSignedOut.run = run;
}

const onError = (error: unknown): void => {
  if (isSignedOut(error)) whenSignedOut.run();
};

/** The meta of reads that the user did not cause. Their failures do not lead away from a form that is being filled in. */
export const QUIET = { isQuiet: true };

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { meta }) => meta !== QUIET && onError(error) }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < 2 && isPassing(error),
      // A request that fails says more than one that waits for the network.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
});

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => account<Schema<'SessionInfo'>>('GET', 'session', { signal }),
  staleTime: 60_000,
});

export const recentUsageQuery = queryOptions({
  queryKey: ['usage', 'recent'],
  queryFn: ({ signal }) => account<Schema<'RecentUsage'>>('GET', 'usage/recent', { signal }),
});

export const usageQuery = queryOptions({
  queryKey: ['usage', 'report'],
  queryFn: ({ signal }) => account<Schema<'UsageReport'>>('GET', 'usage', { signal }),
});
