import type { ReactNode } from 'react';

export interface Tile {
  name: string;
  /** The figure, with its unit. */
  value: ReactNode;
  /** Further figures that belong to it, in one line. */
  note: ReactNode;
}

/** The few figures that a page begins with. */
export function Tiles({ tiles }: { tiles: readonly Tile[] }): ReactNode {
  return (
    <dl className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3">
      {tiles.map(({ name, value, note }) => (
        <div
          key={name}
          className="flex min-w-0 flex-col gap-0.5 bg-surface px-5 py-3.5 max-sm:flex-row max-sm:flex-wrap max-sm:items-baseline max-sm:justify-between max-sm:gap-x-4"
        >
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="text-xl font-semibold lg:text-2xl">{value}</dd>
          <dd className="min-h-5 text-sm text-soft max-sm:w-full">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
