export interface Point {
  /** Milliseconds. */
  at: number;
  /** Null: a gap of the line. */
  value: number | null;
}

/** The parts of a line between its gaps, as the data of a path. */
export function pathOf(
  points: readonly Point[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  let isOpen = false;
  let path = '';
  for (const { at, value } of points) {
    if (value === null) {
      isOpen = false;
      continue;
    }
    // A point between two gaps is a line of no length, which round ends show as a dot.
    const place = `${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    path += isOpen ? `L${place}` : `M${place}L${place}`;
    isOpen = true;
  }
  return path;
}

/** The ends of the vertical axis: all values and the line, with a margin. */
export function rangeOf(points: readonly Point[], line: number): readonly [low: number, high: number] {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const [low, high] = [Math.min(line, ...values), Math.max(line, ...values)];
  const margin = (high - low) * 0.1 || 0.1;
  return [low - margin, high + margin];
}
