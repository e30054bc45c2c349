import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DayRange } from '../risk/volatility';

/**
 * Reads high and low of each day from `<folder>/<asset>.csv` with the columns Date, High, Low. A row without
 * them is a gap.
 * @throws Error with the next step when the file is missing or lacks a column
 */
export function readDailyRanges(folder: string, asset: string): Map<string, DayRange> {
  const file = path.join(folder, `${asset}.csv`);
  if (!existsSync(file)) {
    throw new Error(
      `There are no daily prices at ${file}. Name their folder: npm run tool -- index-replay FOLDER.`,
    );
  }
  const [head = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const columns = head.trim().split(',');
  const [date, high, low] = ['Date', 'High', 'Low'].map((name) => {
    const index = columns.indexOf(name);
    if (index < 0) throw new Error(`${file} has no column ${name}. Write the file again.`);
    return index;
  }) as [number, number, number];
  const ranges = new Map<string, DayRange>();
  for (const line of lines) {
    const cells = line.split(',');
    const range = { high: Number(cells[high] || NaN), low: Number(cells[low] || NaN) };
    if (range.low > 0 && range.high >= range.low) ranges.set(cells[date]!, range);
  }
  return ranges;
}
