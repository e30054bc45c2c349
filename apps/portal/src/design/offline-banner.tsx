import { ApiError, ConnectionError, TimeoutError } from '@plimsoll/sdk';
import { type ReactNode, useSyncExternalStore } from 'react';

function onChange(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && error.status >= 500);

/** Says that there is no connection, while the page shows what it read before. */
export function OfflineBanner({ error }: { error: unknown }): ReactNode {
  const isOnline = useSyncExternalStore(onChange, () => navigator.onLine);
  const what = isOnline ? isUnreachable(error) && 'No connection to Plimsoll.' : 'This browser is offline.';
  return (
    <div role="status">
      {what && (
        <p className="border-b border-warn/40 bg-warn-soft px-4 py-2 text-center text-sm font-medium text-warn">
          {what} The page shows what it read before, and continues with the connection.
        </p>
      )}
    </div>
  );
}
