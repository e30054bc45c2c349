/** The origin of the API. A host of its own for the portal writes it into index.html. */
export const apiOrigin =
  document.querySelector<HTMLMetaElement>('meta[name=api-origin]')?.content || location.origin;

/** Sends a request with the session of the browser. Only the origin of the API receives its cookie. */
export const sessionFetch: typeof fetch = (input, init) => fetch(input, { ...init, credentials: 'include' });

/** The address of a page of the documentation, which the gateway serves. */
export const docs = (path = ''): string => `${apiOrigin}/docs${path}`;
