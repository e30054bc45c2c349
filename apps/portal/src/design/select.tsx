import type { ReactNode } from 'react';
import type { Choice } from './field';

/** The choice of a filter that is not set. */
export const ALL = { value: '', label: 'all' };

/** The choices of a filter by id, in the order of their names. */
export const byName = <Id extends string | number>(names: ReadonlyMap<Id, string> = new Map()) => [
  ALL,
  ...[...names]
    .map(([id, label]) => ({ value: String(id), label }))
    .sort((a, b) => a.label.localeCompare(b.label)),
];

/** A choice in one line, with the list of the browser. An empty value chooses nothing. */
export function Select({
  label,
  choices,
  value,
  hasFixedWidth = false,
  onChange,
}: {
  label: string;
  choices: readonly (Choice & { label: string })[];
  value: string;
  /** Its choices are read after the page is shown. They do not change its width, which would move what follows. */
  hasFixedWidth?: boolean;
  onChange: (value: string) => void;
}): ReactNode {
  return (
    <label className="flex min-w-0 items-center gap-2 text-sm text-soft">
      {label}
      <select
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`h-8 max-w-72 min-w-0 rounded-md border border-line-strong bg-surface px-2 text-sm text-text max-md:h-10 ${hasFixedWidth ? 'md:w-36' : ''}`}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  );
}
