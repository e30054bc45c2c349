import type { Fact } from '../facts/fact';
import type { NumberFigure } from './figure';

const PAST = /^before\.|\.first$|^index\.history\./;
const THEN =
  /^after\.|\.after$|\.chanceAfter$|\.last$|^what-if\..*\.(?:healthFactor|loss)$|\.target$|\.aim$|^question\.level$/;

/** 0: the past; 1: the present; 2: the result of an action, or the last value. */
export function momentOf({ id }: Pick<Fact, 'id'>): 0 | 1 | 2 {
  if (PAST.test(id)) return 0;
  return THEN.test(id) ? 2 : 1;
}

const OF_A_NAME = String.raw`(?: [a-z-]+){0,5}(?: of)? $`;
const FROM = new RegExp(String.raw`\bfrom${OF_A_NAME}`, 'i');
const TO = new RegExp(
  String.raw`(?<!\b(?:close|due|next|compared|equal|owed|lent|safe) )\bto${OF_A_NAME}`,
  'i',
);
const FROM_BARE = /\bfrom $/i;
const TO_BARE = /\bto $/i;
/** Words that refer to a later time. */
const WORDS_BEFORE_LATER =
  /\b(?:to|after|then|would|will|could|if|once|reach\w*|target\w*|aim\w*|takes?|becom\w*|stays?|keeps?|worst|chang\w*|below|above|under|over|least|most|lower|higher|went|goes|ris\w+|rose|fall\w*|fell|drop\w*|was|were|had)\b/i;
const WORDS_BEFORE_EARLIER =
  /\b(?:from|before|was|were|had|began|begin\w*|start\w*|then|earlier|went|goes|ago|open\w*|first|past|previous\w*)\b/i;

/**
 * Whether the words before a figure match its time: `from` comes before the later value, and a forecast is
 * not stated as a fact.
 * @param own the moment of the figure
 * @param all the moments of the cited facts of its unit
 */
export function isAtItsTime({ before }: NumberFigure, own: 0 | 1 | 2, all: readonly number[]): boolean {
  const [first, last] = [Math.min(...all), Math.max(...all)];
  if (first === last) return own === 1 || leads(before, own);
  if (FROM_BARE.test(before)) return own < last;
  if (TO_BARE.test(before)) return own > first;
  if (FROM.test(before) && own === last) return false;
  if (TO.test(before) && own === first) return false;
  return own === 1 || leads(before, own);
}

function leads(before: string, own: 0 | 1 | 2): boolean {
  return (own === 0 ? WORDS_BEFORE_EARLIER : WORDS_BEFORE_LATER).test(before);
}
