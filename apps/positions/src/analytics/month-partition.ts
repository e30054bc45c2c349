/** A partition that holds one UTC month. */
export interface MonthPartition {
  /** Sorts in the order of the months. */
  name: string;
  from: Date;
  /** The first moment that is not in it. */
  to: Date;
}

/** The partition of the month that is `monthsAhead` months after the month of `at`. */
export function monthPartition(at: Date, monthsAhead = 0): MonthPartition {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + monthsAhead];
  const from = new Date(Date.UTC(year, month));
  const name = `position_snapshots_${from.toISOString().slice(0, 7).replace('-', '_')}`;
  return { name, from, to: new Date(Date.UTC(year, month + 1)) };
}
