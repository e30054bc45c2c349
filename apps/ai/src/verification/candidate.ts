import type { Fact } from '../facts/fact';
import type { FigureUnit, NumberFigure } from './figure';
import { type KnownNames, isNameFromOutside } from './known-names';
import { scan } from './scan';

/** Unit of a value that a figure may show: that of a fact, or of a computed figure. */
export type ValueUnit = Fact['unit'] | 'points' | 'minutes' | 'chain' | 'tally';

/** A value that the cited facts support. */
export interface Candidate {
  value: number;
  unit: ValueUnit;
  /** The token, in lower case; only with unit token. */
  symbol?: string;
  factIds: readonly string[];
  /** Computed from facts. */
  isDerived?: boolean;
  /** Computed as a sum. */
  isSum?: boolean;
  /** Computed as a quotient, of which there are many: it must have at least two significant digits. */
  isQuotient?: boolean;
  /** Must be shown exactly: a horizon or a threshold in the label. */
  isExact?: boolean;
}

/** A value in one of the units a figure can have: its factor there. */
const SHOWN_AS: Readonly<Record<ValueUnit, Partial<Record<FigureUnit, number>>>> = {
  percent: { percent: 1, bps: 100 },
  fraction: { percent: 100, bps: 10_000, none: 1 },
  points: { points: 1, percent: 1, bps: 100 },
  usd: { usd: 1 },
  token: { token: 1 },
  ratio: { none: 1, times: 1 },
  count: { count: 1, none: 1 },
  tally: { count: 1 },
  days: { weeks: 1 / 7, days: 1, hours: 24 },
  hours: { days: 1 / 24, hours: 1, minutes: 60 },
  minutes: { days: 1 / 1_440, hours: 1 / 60, minutes: 1, seconds: 60 },
  score: { score: 1, none: 1 },
  block: { block: 1, none: 1 },
  chain: { chain: 1 },
  id: { chain: 1, block: 1 },
  time: {},
  enum: {},
  text: {},
};

/** The candidate in the unit of the figure. Null when it has another unit. */
export function shownAs(
  { value, unit, symbol }: Candidate,
  figure: Pick<NumberFigure, 'unit' | 'symbol'>,
): number | null {
  const factor = SHOWN_AS[unit][figure.unit];
  if (factor === undefined || (figure.unit === 'token' && figure.symbol !== symbol)) return null;
  return value * factor;
}

const LABEL_UNITS: Partial<Record<FigureUnit, ValueUnit>> = {
  none: 'ratio',
  percent: 'percent',
  usd: 'usd',
  minutes: 'minutes',
  hours: 'hours',
  days: 'days',
  count: 'count',
};
const BLOCK_SOURCE = /\bblock (?:(\d+):)?(\d+)\b/g;

/** An answer writes `tokens` for a token whose symbol cannot be a name. */
export function symbolOf({ symbol }: Fact): { symbol?: string } {
  return symbol !== undefined && isNameFromOutside(symbol) ? { symbol: symbol.toLowerCase() } : {};
}

/**
 * The figures of a fact itself: its value, the numbers of its label or enum value, the block of its source.
 */
export function ownCandidates(fact: Fact, names: KnownNames): Candidate[] {
  const factIds = [fact.id];
  const own: Candidate[] = [];
  if (typeof fact.value === 'number' && Number.isFinite(fact.value)) {
    own.push({ value: fact.value, unit: fact.unit, factIds, ...symbolOf(fact) });
  }
  const words = fact.unit === 'enum' ? `${fact.label} ${fact.value}` : fact.label;
  for (const figure of scan(words, names).figures) {
    const unit = figure.kind === 'number' ? LABEL_UNITS[figure.unit] : undefined;
    if (figure.kind !== 'number' || unit === undefined) continue;
    const value = figure.sign === '-' ? -figure.value : figure.value;
    own.push({ value, unit, factIds, isExact: true });
  }
  for (const [, chain, block] of fact.source.matchAll(BLOCK_SOURCE)) {
    own.push({ value: Number(block), unit: 'block', factIds, isExact: true });
    if (chain !== undefined) own.push({ value: Number(chain), unit: 'chain', factIds, isExact: true });
  }
  return own;
}

/** The instant of a fact of unit time, milliseconds since 1970. Null for all others. */
export function instantOf({ unit, value }: Fact): number | null {
  if (unit !== 'time' || typeof value !== 'string') return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}
