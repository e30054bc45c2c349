import type { ReactNode } from 'react';
import { CELL, HEAD } from './list';

/** Classes of a short cell. */
const SHORT = 'px-1 py-2 first:pl-5 last:pr-5 sm:px-5';

export interface FigureRow {
  id: string;
  name: ReactNode;
  /** One for each head. */
  figures: readonly ReactNode[];
}

/**
 * Rows with several figures. In narrow windows each figure is a line of its own, beside its head, except where all of them are short.
 */
export function FigureTable({
  label,
  name,
  heads,
  rows,
  isShort = false,
}: {
  label: string;
  /** The head of the names. */
  name: string;
  heads: readonly string[];
  rows: readonly FigureRow[];
  isShort?: boolean;
}): ReactNode {
  if (isShort)
    return (
      <table aria-label={label} className="w-full text-left max-sm:text-sm">
        <thead className="text-xs text-soft">
          <tr className="border-b border-line">
            {[name, ...heads].map((head, index) => (
              <th key={head} scope="col" className={`${SHORT} font-medium ${index > 0 ? 'text-right' : ''}`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name: of, figures }) => (
            <tr key={id} className="border-b border-line last:border-0">
              <th scope="row" className={`${SHORT} font-medium`}>
                {of}
              </th>
              {figures.map((figure, index) => (
                <td key={heads[index]} className={`${SHORT} text-right`}>
                  {figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    );
  return (
    <table aria-label={label} className="w-full text-left max-lg:block">
      <thead className="text-xs text-soft max-lg:sr-only">
        <tr className="border-b border-line">
          <th scope="col" className={HEAD}>
            {name}
          </th>
          {heads.map((head) => (
            <th key={head} scope="col" className={`${HEAD} text-right`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-lg:block">
        {rows.map(({ id, name: of, figures }) => (
          <tr
            key={id}
            className="border-b border-line last:border-0 max-lg:flex max-lg:flex-col max-lg:px-5 max-lg:py-2"
          >
            <th scope="row" className={`${CELL} font-medium`}>
              {of}
            </th>
            {heads.map((head, index) => (
              <td
                key={head}
                className={`${CELL} text-right max-lg:flex max-lg:w-full max-lg:justify-between max-lg:gap-4`}
              >
                <span className="text-soft lg:hidden" aria-hidden="true">
                  {head}
                </span>
                {figures[index]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
