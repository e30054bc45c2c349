import type { ReactNode } from 'react';

/** The line on a hull: a circle with a line through it. */
export function Brand(): ReactNode {
  return (
    <span className="inline-flex items-center gap-2 font-semibold text-text">
      <svg viewBox="0 0 32 32" className="size-5 text-accent" aria-hidden="true">
        <circle cx="16" cy="16" r="11" fill="none" stroke="currentColor" strokeWidth="3" />
        <path d="M1 16h30" stroke="currentColor" strokeWidth="3" />
      </svg>
      Plimsoll
    </span>
  );
}
