import { ASSETS, marketSymbol } from '@plimsoll/devnet';
import { UsageError } from '../settings/usage-error';

/** Prices at one time of a path. */
export interface PricePoint {
  /** Since the begin of the path. */
  seconds: number;
  /** US dollars by symbol. An asset that is absent keeps its price. */
  usd: Record<string, number>;
}

const MOST_POINTS = 20_000;
const MOST_USD = 1e15;
const NUMBER = /^\d+(\.\d+)?$/;
const SYMBOLS = ASSETS.map(({ symbol }) => symbol);

/**
 * Reads a price path: lines of CSV. The first names `seconds` and the assets, and each further line has a time and a price in US
 * dollars for each asset. An empty price stays as it is. Empty lines and those that begin with # are left out.
 * @param file its name, for errors
 * @throws UsageError that names the line
 */
export function parsePricePath(text: string, file: string): PricePoint[] {
  const points: PricePoint[] = [];
  let symbols: string[] | undefined;
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const wrong = (what: string): UsageError =>
      new UsageError(`${file}, line ${index + 1}: ${what}`, 'See `npm run market -- --help`');
    const cells = line.split(',').map((cell) => cell.trim());
    if (symbols === undefined) symbols = symbolsOf(cells, wrong);
    else points.push(pointOf(cells, symbols, points.at(-1), wrong));
    if (points.length > MOST_POINTS) throw wrong(`a path has at most ${MOST_POINTS} lines of prices`);
  }
  if (points.length === 0)
    throw new UsageError(
      `${file} has no prices`,
      'The first line is for example seconds,ETH and the second 0,2500',
    );
  return points;
}

type Wrong = (what: string) => UsageError;

function symbolsOf([first, ...names]: readonly string[], wrong: Wrong): string[] {
  if (first !== 'seconds' || names.length === 0)
    throw wrong('the first line is seconds and the assets, for example seconds,ETH,BTC');
  const symbols = names.map((name) => {
    const symbol = marketSymbol(name);
    if (!SYMBOLS.includes(symbol))
      throw wrong(`there is no asset ${name || 'without a name'}. The market has ${SYMBOLS.join(', ')}`);
    return symbol;
  });
  const twice = names.find((_, index) => symbols.indexOf(symbols[index] ?? '') !== index);
  if (twice !== undefined) throw wrong(`${twice} is named twice`);
  return symbols;
}

function pointOf(
  cells: readonly string[],
  symbols: readonly string[],
  before: PricePoint | undefined,
  wrong: Wrong,
): PricePoint {
  if (cells.length !== symbols.length + 1)
    throw wrong(`it has ${cells.length} values, and the first line has ${symbols.length + 1}`);
  const [time = '', ...prices] = cells;
  if (!NUMBER.test(time)) throw wrong(`${time || 'an empty value'} is no number of seconds`);
  const seconds = Number(time);
  if (before && seconds <= before.seconds)
    throw wrong(`${time} seconds are not later than the ${before.seconds} before`);
  const usd: Record<string, number> = {};
  for (const [index, price] of prices.entries()) {
    if (price === '') continue;
    const value = Number(price);
    if (!NUMBER.test(price) || value <= 0 || value > MOST_USD)
      throw wrong(`${price} is no price: give a positive number of US dollars`);
    usd[symbols[index] ?? ''] = value;
  }
  return { seconds, usd };
}

/** The path of one asset that moves by a percentage, by the same factor each second. Its prices begin at 1. */
export function shockPath(symbol: string, percent: number, seconds: number): PricePoint[] {
  const factor = 1 + percent / 100;
  return Array.from({ length: seconds + 1 }, (_, second) => ({
    seconds: second,
    usd: { [marketSymbol(symbol)]: factor ** (second / seconds) },
  }));
}

/** A path whose first price of each asset is the present one, with the same changes in percent. */
export function fromPresent(path: readonly PricePoint[], present: ReadonlyMap<string, number>): PricePoint[] {
  const factors = new Map<string, number>();
  return path.map(({ seconds, usd }) => ({
    seconds,
    usd: Object.fromEntries(
      Object.entries(usd).map(([symbol, price]) => {
        const factor = factors.get(symbol) ?? (present.get(symbol) ?? price) / price;
        factors.set(symbol, factor);
        return [symbol, price * factor];
      }),
    ),
  }));
}
