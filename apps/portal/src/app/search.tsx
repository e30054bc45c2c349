import { type ReactNode, Suspense, lazy, useEffect, useState } from 'react';
import { Button } from '../design/button';

const Palette = lazy(async () => ({ default: (await import('./palette')).Palette }));

const KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

/** Opens the search, as Ctrl K or ⌘K does. */
export function SearchButton({ isShort }: { isShort?: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isShort) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isShort]);
  return (
    <>
      <Button kind={isShort ? 'quiet' : 'plain'} size="small" wide={!isShort} onPress={() => setOpen(true)}>
        {isShort ? (
          'Search'
        ) : (
          <>
            <span className="grow text-left font-normal text-soft">Search</span>
            <kbd className="font-sans text-xs text-faint">{KEYS}</kbd>
          </>
        )}
      </Button>
      {isOpen && (
        <Suspense>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
