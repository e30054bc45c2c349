import type { Fact } from '../facts/fact';
import { isNameFromOutside, spoken } from '../verification/known-names';

/** Decimals have no meaning from this size on. */
const LARGE = 1e9;

/** Formats by their number of decimals: creating one costs a hundred times as much as using it. */
const formats = new Map<number, Intl.NumberFormat>();

function formatOf(digits: number): Intl.NumberFormat {
  const known = formats.get(digits);
  if (known) return known;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = new Intl.NumberFormat('en-US', options);
  formats.set(digits, format);
  return format;
}

function grouped(value: number, digits: number): string {
  return formatOf(digits).format(value);
}

/** Small amounts keep their significant digits, never an exponent. */
function amount(value: number, digits: number): string {
  const size = Math.abs(value);
  if (size === 0 || size >= 1) return grouped(value, size >= LARGE ? 0 : digits);
  return grouped(value, Math.min(12, digits + Math.ceil(-Math.log10(size)) + 1))
    .replace(/0+$/, '')
    .replace(/\.$/, '');
}

/** The value of a fact in words: its unit decides digits and sign. Probabilities are shown in percent. */
export function formatFact({ value, unit, symbol }: Fact): string {
  if (value === null) return 'none';
  if (typeof value === 'string') return unit === 'text' ? spoken(value) : value;
  switch (unit) {
    case 'usd':
      return `${amount(value, 2)} USD`;
    case 'percent':
      return `${grouped(value, 2)} %`;
    case 'fraction':
      return `${grouped(value * 100, 2)} %`;
    case 'ratio':
      return grouped(value, 4);
    case 'token':
      return `${amount(value, 4)} ${symbol !== undefined && isNameFromOutside(symbol) ? symbol : 'tokens'}`;
    case 'days':
      return `${grouped(value, Number.isInteger(value) ? 0 : 1)} days`;
    case 'hours':
      return `${grouped(value, 0)} hours`;
    case 'score':
      return grouped(value, Number.isInteger(value) ? 0 : 1);
    case 'count':
      return grouped(value, 0);
    case 'block':
    case 'time':
    case 'id':
    case 'enum':
    case 'text':
      return String(value);
  }
}
