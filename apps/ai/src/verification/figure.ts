/**
 * The unit of a number in a text, according to the words around it. `unknown`: there are no facts in that
 * unit.
 */
export type FigureUnit =
  | 'none'
  | 'percent'
  | 'points'
  | 'bps'
  | 'usd'
  | 'token'
  | 'times'
  | 'seconds'
  | 'minutes'
  | 'hours'
  | 'days'
  | 'weeks'
  | 'score'
  | 'block'
  | 'chain'
  | 'count'
  | 'unknown';

/** The precision of a number in a text: as its digits show, or as an estimate or a bound. */
export type Hedge = 'none' | 'about' | 'above' | 'below';

/** A number in a text, in digits or in words. */
export interface NumberFigure {
  kind: 'number';
  /** The original text, for complaints. */
  text: string;
  /** The absolute value. */
  value: number;
  sign: '-' | '+' | '';
  /** Value of one unit of the last shown digit: 0.01 of `1.50`, 100,000 of `3.4M`. */
  place: number;
  /** The same, without the zeros at the end of a whole number: 100 of `1,200`. */
  roundPlace: number;
  unit: FigureUnit;
  /** The token, in lower case; only with unit token. */
  symbol?: string;
  /** The unit of the next number, which may apply to both: `from 31 to 15 %`. */
  shared?: { unit: FigureUnit; symbol?: string };
  hedge: Hedge;
  /** `half`, `doubled`: a proportion that is never meant to the digit. */
  isProportion?: boolean;
  /** The text before it, which may name the subject of a bound. Names and dates in it are marks. */
  before: string;
  /** The text after it, with the same marks. */
  after: string;
}

/** A date or a time of day in UTC, as far as the text states it. */
export interface TimeFigure {
  kind: 'time';
  text: string;
  year?: number;
  /** 1–12 */
  month?: number;
  day?: number;
  hour?: number;
  minute?: number;
  second?: number;
  /** 0 Sunday – 6 Saturday */
  weekday?: number;
  /** Days from today: −1 is yesterday. */
  fromToday?: number;
}

export type Figure = NumberFigure | TimeFigure;
