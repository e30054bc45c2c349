import type { Paint, Style } from './style';
import { printable } from './text';

/** Text of a cell, with a style. */
export type Cell = string | number | null | undefined | { text: string; style: Style };

export interface Column {
  title: string;
  align?: 'right';
}

/** Returns aligned columns. Text of the API is made printable. */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], paint: Paint): string {
  const texts = rows.map((row) => row.map(textOf));
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...texts.map((row) => [...(row[at] ?? '')].length)),
  );
  const line = (cells: readonly string[], style: (at: number) => Style): string =>
    columns
      .map(({ align }, at) => {
        const text = cells[at] ?? '';
        const space = ' '.repeat(widths[at]! - [...text].length);
        const painted = paint(style(at), text);
        return align === 'right' ? space + painted : painted + space;
      })
      .join('  ')
      .trimEnd();
  const head = line(
    columns.map(({ title }) => title),
    () => 'dim',
  );
  return [head, ...texts.map((cells, row) => line(cells, (at) => styleOf(rows[row]![at])))].join('\n');
}

const textOf = (cell: Cell): string =>
  cell === null || cell === undefined ? '–' : printable(typeof cell === 'object' ? cell.text : String(cell));

const styleOf = (cell: Cell): Style => (typeof cell === 'object' && cell !== null ? cell.style : 'plain');
