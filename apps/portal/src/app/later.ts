import { ConnectionError } from '@plimsoll/sdk';
import { lazyRouteComponent } from '@tanstack/react-router';

const DEADLINE_MS = 5_000;

/**
 * A page whose program is loaded when it is needed. The router loads the document again when a file is missing, because a
 * later release has other files. Without a connection, that would lose the page that is shown.
 */
export const later: typeof lazyRouteComponent = (importer, name) =>
  lazyRouteComponent(
    () =>
      importer().catch(async (error: unknown) => {
        throw (await isReachable()) ? error : new ConnectionError('The page cannot be loaded.', error);
      }),
    name,
  );

async function isReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    return (await fetch('/portal/', { method: 'HEAD', cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

/** Runs work when the browser has nothing else to do. Safari has no such callback. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: DEADLINE_MS });
  else setTimeout(work, DEADLINE_MS);
}
