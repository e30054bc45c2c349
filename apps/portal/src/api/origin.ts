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

/** Reads a document that the gateway serves to everyone. */
async function readDocument(path: string, name: string, signal?: AbortSignal): Promise<unknown> {
  const response = await sessionFetch(`${apiOrigin}${path}`, { ...(signal && { signal }) }).catch(
    (error: unknown) => {
      throw signal?.aborted ? error : new ConnectionError(`${name} cannot be read.`, error);
    },
  );
  if (!response.ok) throw new ConnectionError(`${name} cannot be read: status ${response.status}.`);
  return response.json();
}

/** The OpenAPI document, which the gateway serves. */
export const apiDocument = (signal: AbortSignal): Promise<unknown> =>
  readDocument('/openapi.json', 'The description of the API', signal);

/** The public keys of receipts. */
export const receiptKeys = (): Promise<unknown> =>
  readDocument('/.well-known/plimsoll-keys.json', 'The list of keys');
