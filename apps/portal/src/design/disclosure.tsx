import type { ReactNode } from 'react';

/** A part that a press of its title shows and hides. */
export function Disclosure({
  title,
  isOpen,
  onToggle,
  children,
}: {
  title: ReactNode;
  /** Whether it is open at first, or, with `onToggle`, now. */
  isOpen?: boolean;
  onToggle?: (isOpen: boolean) => void;
  children: ReactNode;
}): ReactNode {
  return (
    <details
      className="group"
      open={isOpen ?? false}
      onToggle={(event) => onToggle?.(event.currentTarget.open)}
    >
      <summary className="flex min-h-9 cursor-default list-none items-center gap-2 px-3.5 py-1.5 text-sm text-soft outline-offset-[-2px] hover:bg-hover hover:text-text [&::-webkit-details-marker]:hidden">
        <svg
          viewBox="0 0 12 12"
          className="size-3 shrink-0 transition-transform group-open:rotate-90"
          aria-hidden="true"
        >
          <path d="m4.5 2.5 3.5 3.5-3.5 3.5" fill="none" stroke="currentColor" strokeWidth="1.6" />
        </svg>
        {title}
      </summary>
      {children}
    </details>
  );
}
