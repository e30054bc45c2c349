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

/** A range of values over time, such as from the 5th to the 95th percentile. */
export interface Band {
  /** Points at the same times as those of the line. */
  low: readonly Point[];
  high: readonly Point[];
  /** Names of the lines, from the top. */
  names: readonly [high: string, middle: string, low: string];
}

/** The area of a band as the data of a path. Times where an end is unknown are left out. */
export function areaOf({ low, high }: Band, x: (at: number) => number, y: (value: number) => number): string {
  const known = high.flatMap(({ at, value }, index) => {
    const below = low[index]?.value ?? null;
    return value === null || below === null ? [] : [{ at, above: value, below }];
  });
  const places = [
    ...known.map(({ at, above }) => [x(at), y(above)] as const),
    ...known.reverse().map(({ at, below }) => [x(at), y(below)] as const),
  ];
  return places.length === 0
    ? ''
    : `M${places.map(([across, down]) => `${across.toFixed(1)} ${down.toFixed(1)}`).join('L')}Z`;
}

/** Places of labels from the top, moved so that each is at least `gap` below the one before, and all end at `most`. */
export function apart(places: readonly number[], gap: number, most: number): number[] {
  const moved: number[] = [];
  for (const place of places) moved.push(Math.max(place, (moved.at(-1) ?? -Infinity) + gap));
  let limit = most;
  for (let index = moved.length - 1; index >= 0; index -= 1) {
    moved[index] = Math.min(moved[index]!, limit);
    limit = moved[index]! - gap;
  }
  return moved;
}

/** The ends of the vertical axis: all values and the line, with a margin. */
export function rangeOf(points: readonly Point[], line: number): readonly [low: number, high: number] {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const [low, high] = [Math.min(line, ...values), Math.max(line, ...values)];
  const margin = (high - low) * 0.1 || 0.1;
  return [low - margin, high + margin];
}
