import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isStableAsset } from '@plimsoll/contracts';

/** Daily prices of one asset, oldest first, without gaps. */
export interface PriceHistory {
  asset: string;
  /** Days since 1970-01-01. */
  firstDay: number;
  close: number[];
  low: number[];
  high: number[];
}

const DAY_MS = 86_400_000;
const FILE_ROW = ['date', 'close', 'high', 'low'] as const;

/** The first days, which the data set's own notes describe as wrong. */
const WRONG_FIRST_DAY = new Set(['AAVE']);

interface Row {
  day: number;
  close: number;
  low: number;
  high: number;
}

function parse(file: string): Row[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const columns = head.trim().toLowerCase().split(',');
  const at = FILE_ROW.map((name) => {
    const index = columns.indexOf(name);
    if (index < 0) throw new Error(`${file} has no column ${name}.`);
    return index;
  });
  return lines
    .map((line) => at.map((index) => line.split(',')[index] ?? ''))
    .filter(([, close]) => close !== '')
    .map(([date, close, high, low]) => ({
      day: Date.parse(date!) / DAY_MS,
      close: Number(close),
      high: Number(high),
      low: Number(low),
    }));
}

/** The days after the last gap: a row without a close is a gap. The last row of a day counts. */
function withoutGaps(rows: readonly Row[]): Row[] {
  const days = rows.filter((row, i) => row.day !== rows[i + 1]?.day);
  const start = days.findLastIndex((row, i) => i === 0 || row.day !== days[i - 1]!.day + 1);
  return days.slice(start);
}

const missing = (place: string): string =>
  `There is no price history at ${place}. Name its folder: npm run calibrate -- --folder DIR.`;

/**
 * The assets of a folder, by its CSV files, without stable coins. @throws Error with the next step when it
 * has none
 */
export function assetsIn(folder: string): string[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.csv')) : [];
  const assets = files.map((file) => file.slice(0, -'.csv'.length)).filter((asset) => !isStableAsset(asset));
  if (assets.length === 0) throw new Error(missing(folder));
  return assets.toSorted();
}

/**
 * Daily prices from `<folder>/<asset>.csv` with the columns Date, Open, High, Low, Close.
 * @throws Error with the next step when the folder or the file is missing
 */
export function readPriceHistory(folder: string, asset: string): PriceHistory {
  const file = path.join(folder, `${asset}.csv`);
  if (!existsSync(file)) {
    throw new Error(missing(file));
  }
  const rows = withoutGaps(parse(file)).slice(WRONG_FIRST_DAY.has(asset) ? 1 : 0);
  return {
    asset,
    firstDay: rows[0]!.day,
    close: rows.map(({ close }) => close),
    low: rows.map(({ low }) => low),
    high: rows.map(({ high }) => high),
  };
}
