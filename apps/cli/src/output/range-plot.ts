const WIDTH = 48;
/** Percentiles far above the line of liquidation would leave no space for the others. */
const LARGEST = 4;

/** A range of health factors, from the 5th to the 95th percentile. Null: no debt. */
export interface Range {
  label: string;
  low: number | null;
  middle: number | null;
  high: number | null;
}

/** Draws ranges of health factors over one axis, with the line of liquidation at 1. */
export function rangePlot(ranges: readonly Range[]): string {
  const known = ranges.flatMap(({ low, high }) => [low, high]).filter((each) => each !== null);
  const from = Math.min(0.9, ...known);
  const to = Math.min(LARGEST, Math.max(1.1, ...known));
  const columnOf = (value: number | null): number => {
    const share = ((value ?? Number.POSITIVE_INFINITY) - from) / (to - from);
    return Math.round(Math.min(1, Math.max(0, share)) * (WIDTH - 1));
  };
  const labelWidth = Math.max(...ranges.map(({ label }) => label.length));
  const liquidation = columnOf(1);
  const lines = ranges.map(({ label, low, middle, high }) => {
    const cells = Array.from({ length: WIDTH }, () => ' ');
    cells[liquidation] = '│';
    for (let at = columnOf(low); at <= columnOf(high); at += 1) cells[at] = at === liquidation ? '┼' : '─';
    cells[columnOf(low)] = '├';
    cells[columnOf(high)] = (high ?? Number.POSITIVE_INFINITY) > to ? '→' : '┤';
    cells[columnOf(middle)] = '●';
    return `${label.padStart(labelWidth)} ${cells.join('').trimEnd()}`;
  });
  const [left, right] = [from.toFixed(2), to.toFixed(2)];
  const axis = Array.from({ length: WIDTH }, () => ' ');
  const write = (text: string, start: number): void => {
    for (const [at, letter] of [...text].entries()) axis[start + at] = letter;
  };
  write(right, WIDTH - right.length);
  write(left, 0);
  // The label of the line has precedence over the ends of the axis.
  write(' 1 ', Math.max(0, Math.min(WIDTH - 3, liquidation - 1)));
  return [...lines, `${' '.repeat(labelWidth)} ${axis.join('').trimEnd()}`].join('\n');
}
