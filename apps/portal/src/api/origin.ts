import { ConnectionError } from '@plimsoll/sdk';

/** The origin of the API. A host of its own for the portal writes it into index.html. */
export const apiOrigin =
  document.querySelector<HTMLMetaElement>('meta[name=api-origin]')?.content || location.origin;

/** Sends a request with the session of the browser. Only the origin of the API receives its cookie. */
export const sessionFetch: typeof fetch = (input, init) => fetch(input, { ...init, credentials: 'include' });

const CSV_DEADLINE_MS = 30_000;

/** Reads a page of a list as CSV. */
export const readCsv = (path: string): Promise<Response> =>
  sessionFetch(`${apiOrigin}${path}`, {
    headers: { accept: 'text/csv' },
    signal: AbortSignal.timeout(CSV_DEADLINE_MS),
  });

/** The address of a page of the documentation, which the gateway serves. */
export const docs = (path = ''): string => `${apiOrigin}/docs${path}`;

/** The OpenAPI document, which the gateway serves. */
export async function apiDocument(signal: AbortSignal): Promise<unknown> {
  const response = await sessionFetch(`${apiOrigin}/openapi.json`, { signal }).catch((error: unknown) => {
    throw signal.aborted ? error : new ConnectionError('The description of the API cannot be read.', error);
  });
  if (!response.ok)
    throw new ConnectionError(`The description of the API cannot be read: status ${response.status}.`);
  return response.json();
}
