import { type Candidate, shownAs } from './candidate';
import type { NumberFigure } from './figure';

/**
 * The tolerance for a value that a text compares with or repeats: only floating point causes smaller
 * differences.
 */
const SAME = 1e-9;
/** A bound that is met counts as met. */
const AT_BOUND = 1e-6;
/** `below 1` is not evidence for 0.3: a value must be within this share of its bound. */
const BOUND_REACH = 0.25;
/** A proportion in words is never meant to the digit. */
const PROPORTION_TOLERANCE = 0.05;

/** A text that shows a health factor to a thousandth may show it as 1. */
const FINEST_PLACE_AT_LINE = 0.001;
const COARSE_PLACE = 0.01;
const ROUNDED_TO_ZERO: ReadonlySet<NumberFigure['unit']> = new Set([
  'percent',
  'points',
  'usd',
  'token',
  'none',
]);

const FALLING =
  /\b(?:fall\w*|fell|drop\w*|declin\w*|decreas\w*|reduc\w*|los\w*|lower\w*|down\w*|below|less|minus|negative|shrink\w*|shrank|cut\w*|short\w*|wors\w*|weak\w*|crash\w*|shock\w*|deficit|behind)\b/i;
const WORDS_BELOW = /\b(?:below|under|less than|<) ?$/i;
const WORDS_ABOVE = /\b(?:above|over|more than|>) ?$/i;
const REACHES = /\b(?:reach(?:es|ed|ing)?|hits?|at) $/i;
/** Text about the rule instead of a figure: `is liquidated when its health factor falls below 1`. */
const RULE = /\bliquidat\w*/i;

export type NoMatch = 'no_fact' | 'wrong_value' | 'wrong_unit';

/**
 * The candidates that the figure shows, within the rounding of its own digits, or else the reason why there
 * is none.
 * @param text the claim around it, whose words may give the sign
 */
export function matchFigure(
  figure: NumberFigure,
  candidates: readonly Candidate[],
  text: string,
): Candidate[] | NoMatch {
  const asShared = figure.shared === undefined ? [] : [{ ...figure, ...figure.shared }];
  for (const reading of [figure, ...asShared]) {
    const matches = candidates.filter((candidate) => isShownBy(candidate, reading, text));
    if (matches.length > 0) return matches;
  }
  const own = candidates.filter(({ isDerived }) => isDerived !== true);
  if (own.length === 0) return 'no_fact';
  const isOfUnit = own.some((candidate) => shownAs(candidate, figure) !== null);
  return isOfUnit ? 'wrong_value' : 'wrong_unit';
}

function isShownBy(candidate: Candidate, figure: NumberFigure, text: string): boolean {
  const shown = shownAs(candidate, figure);
  if (shown === null) return false;
  const value = signedValue(shown, figure, text);
  if (value === null) return false;
  if (candidate.isExact) return isClose(value, figure.value, SAME) && figure.hedge !== 'about';
  if (candidate.isQuotient && !figure.isProportion && isCoarse(value, figure)) return false;
  return isWithinRounding(value, figure) && !hidesThreshold(value, figure, candidate);
}

/**
 * The value that the digits must equal. A minus sign or a word can express a fall, and neither may express a
 * rise.
 */
function signedValue(value: number, { sign }: NumberFigure, text: string): number | null {
  if (sign === '-') return -value;
  if (sign === '+') return value;
  return value < 0 ? (FALLING.test(text) ? -value : null) : value;
}

function isWithinRounding(value: number, figure: NumberFigure): boolean {
  const { value: shown, hedge, place, roundPlace, isProportion } = figure;
  const slack = Math.max(SAME * Math.abs(value), 1e-12);
  if (isProportion) return Math.abs(value - shown) <= shown * PROPORTION_TOLERANCE + slack;
  if (hedge === 'about') return Math.abs(value - shown) <= roundPlace / 2 + slack;
  const bound = Math.max(AT_BOUND * Math.abs(value), slack);
  const reach = Math.min(roundPlace, shown * BOUND_REACH) + slack;
  if (hedge === 'above') return value >= shown - bound && value <= shown + reach;
  if (hedge === 'below') return value <= shown + bound && value >= shown - reach;
  return Math.abs(value - shown) <= place / 2 + slack;
}

/** Rounding must not present a liquidatable position as safe, or a probability as zero or one. */
function hidesThreshold(
  value: number,
  { value: shown, place, unit }: NumberFigure,
  candidate: Candidate,
): boolean {
  if (shown === 0) return place >= 1 && ROUNDED_TO_ZERO.has(unit) && Math.abs(value) > 1e-12;
  if (unit === 'percent' && shown === 100) return place >= 1 && !isClose(value, 100, SAME);
  return (
    candidate.unit === 'ratio' &&
    !candidate.isDerived &&
    place > FINEST_PLACE_AT_LINE &&
    value < 1 !== shown < 1
  );
}

/** One digit of a quotient would match too many values. Hundredths of a percent match few. */
function isCoarse(value: number, { place, value: shown }: NumberFigure): boolean {
  return place > COARSE_PLACE && place > Math.abs(shown) / 10 && !isClose(value, shown, SAME);
}

function isClose(a: number, b: number, relative: number): boolean {
  return Math.abs(a - b) <= Math.max(relative * Math.abs(b), 1e-12);
}

/**
 * Whether the figure is the 1 at which a position is liquidated, about a health factor. It needs no fact, but
 * must not be used wrongly.
 * @param text the claim
 * @param healthFactors values of the cited facts that are one
 */
export function isLiquidationLine(
  { value, unit, sign, before }: NumberFigure,
  text: string,
  healthFactors: readonly number[],
): boolean {
  if (value !== 1 || unit !== 'none' || sign !== '' || healthFactors.length === 0) return false;
  if (WORDS_ABOVE.test(before)) return healthFactors.some((healthFactor) => healthFactor > 1);
  if (!WORDS_BELOW.test(before) && !REACHES.test(before)) return false;
  return RULE.test(text) || healthFactors.some((healthFactor) => healthFactor < 1);
}
