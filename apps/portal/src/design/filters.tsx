import { type ReactNode, useId, useState } from 'react';
import { Button } from './button';

/** The filters of a list: in one line, and on phones in a panel that a button opens. */
export function Filters({
  active,
  onClear,
  children,
}: {
  /** Number of filters that are set. */
  active: number;
  onClear: () => void;
  children: ReactNode;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="flex flex-col gap-3 border-b border-line px-5 py-3 md:flex-row md:flex-wrap md:items-center">
      <div className="md:hidden">
        <Button
          size="small"
          aria-expanded={isOpen}
          aria-controls={id}
          onPress={() => setOpen((wasOpen) => !wasOpen)}
        >
          {active > 0 ? `Filters: ${active} set` : 'Filters'}
        </Button>
      </div>
      <div
        id={id}
        className={`flex flex-col gap-3 max-md:[&_label]:justify-between max-md:[&_select]:w-3/5 md:max-lg:[&_select]:max-w-32 md:flex md:flex-row md:flex-wrap md:items-center md:gap-x-4 ${isOpen ? '' : 'max-md:hidden'}`}
      >
        {children}
        {active > 0 && (
          <Button kind="quiet" size="small" onPress={onClear}>
            Clear filters
          </Button>
        )}
      </div>
    </div>
  );
}
