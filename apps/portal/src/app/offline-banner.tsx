import { type ReactNode, useSyncExternalStore } from 'react';

function onChange(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

/** Says that the browser has no network, while the page shows what it read before. */
export function OfflineBanner(): ReactNode {
  const isOnline = useSyncExternalStore(onChange, () => navigator.onLine);
  return (
    <div role="status">
      {!isOnline && (
        <p className="border-b border-warn/40 bg-warn-soft px-4 py-2 text-center text-sm font-medium text-warn">
          This browser is offline. The page shows what it read before, and continues with the network.
        </p>
      )}
    </div>
  );
}
