/** A health factor from this time on. */
interface Sample {
  /** Unix milliseconds. */
  at: number;
  healthFactor: number;
}

/** The pace is that of this period. */
export const WINDOW_MS = 60_000;
/** The shortest period with a pace. */
const SHORTEST_MS = 10_000;
/** A liquidation that is further away has no time. */
const FARTHEST_SECONDS = 86_400;

/** The health factors that positions had, for the time until they reach 1. */
export class Paces {
  private readonly samples = new Map<string, Sample[]>();

  /** Keeps a health factor that differs from the last one of its position. */
  add(id: string, healthFactor: number | null, at: number): void {
    const known = this.samples.get(id) ?? [];
    if (healthFactor === null) {
      this.samples.delete(id);
      return;
    }
    if (known.at(-1)?.healthFactor === healthFactor) return;
    // One sample before the window says what it began with.
    while ((known[1]?.at ?? at) < at - WINDOW_MS) known.shift();
    known.push({ at, healthFactor });
    this.samples.set(id, known);
  }

  /**
   * The seconds until a health factor is 1, if it goes on to fall by the same factor in the same time as in the last minute.
   * 0: it is below 1. Null: it does not fall, or it would take more than a day.
   */
  secondsLeft(id: string, now: number): number | null {
    const known = this.samples.get(id) ?? [];
    const last = known.at(-1);
    if (!last) return null;
    if (last.healthFactor < 1) return 0;
    const begin = now - WINDOW_MS;
    const first = known.findLast(({ at }) => at <= begin) ?? known[0];
    if (!first) return null;
    const seconds = Math.max(SHORTEST_MS, now - Math.max(begin, first.at)) / 1_000;
    const fall = Math.log(first.healthFactor / last.healthFactor) / seconds;
    if (fall <= 0) return null;
    const left = Math.log(last.healthFactor) / fall;
    return left > FARTHEST_SECONDS ? null : left;
  }
}

interface Ordered {
  id: string;
  healthFactor: number | null;
}

/** Positions by their time to liquidation. Those without one follow by their health factor. */
export function byTime<Position extends Ordered>(
  positions: readonly Position[],
  paces: Paces,
  now: number,
): { position: Position; secondsLeft: number | null }[] {
  return positions
    .map((position) => ({ position, secondsLeft: paces.secondsLeft(position.id, now) }))
    .sort(
      (a, b) =>
        compare(a.secondsLeft, b.secondsLeft) ||
        compare(a.position.healthFactor, b.position.healthFactor) ||
        (a.position.id < b.position.id ? -1 : 1),
    );
}

/** The smaller first, and null last. */
function compare(a: number | null, b: number | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null ? -1 : a - b;
}
