import type { FigureUnit } from './figure';

/** The suffixes that may follow a number directly, longest first, with their units. */
const SUFFIXES: readonly [string, FigureUnit][] = [
  [String.raw` ?% points?\b|[ -]?percentage[ -]points?\b|[ -]?percent points?\b| ?pp\b`, 'points'],
  [String.raw` ?%|[ -]?per ?cent\b`, 'percent'],
  [String.raw` ?bps?\b|[ -]basis points?\b`, 'bps'],
  [String.raw` ?USD\b|[ -](?:US )?dollars?\b`, 'usd'],
  [String.raw`[ -]weeks?\b|w\b`, 'weeks'],
  [String.raw`[ -]?days?\b|d\b`, 'days'],
  [String.raw`[ -]?(?:hours?|hrs?)\b| ?h\b`, 'hours'],
  [String.raw`[ -]?(?:minutes?|mins?)\b`, 'minutes'],
  [String.raw`[ -]?(?:seconds?|secs?)\b| ?s\b`, 'seconds'],
  [
    String.raw`[ -](?:months?|quarters?|years?|decades?)\b| ?(?:EUR|GBP|JPY|CHF|euros?|pounds?|yen|cents?)\b`,
    'unknown',
  ],
  [String.raw` out of 100\b(?! ?%|[.,]\d)|\/100\b(?!\.\d)|[ -]points?\b`, 'score'],
  [String.raw` tokens?\b`, 'token'],
  [String.raw`x\b| ?×| times\b|-?fold\b`, 'times'],
  [
    String.raw` (?:(?:open|active|resolved|watched|other|more|different|lending|risky|large|of your|of the) )?(?:positions?|wallets?|alerts?|incidents?|rules?|assets?|protocols?|chains?|whales?|transfers?|liquidations?|events?|clusters?|moves?|paths?|iterations?|simulations?)\b| of (?:the|your|these|those|them)\b`,
    'count',
  ],
];

/** Source of a pattern that matches any unit after a number. */
export const UNIT_SUFFIX = SUFFIXES.map(([pattern]) => pattern).join('|');

const READERS = SUFFIXES.map(([pattern, unit]) => [new RegExp(`^(?:${pattern})$`, 'i'), unit] as const);

/** The unit of a match of UNIT_SUFFIX. */
export function unitOf(suffix: string): FigureUnit {
  return READERS.find(([pattern]) => pattern.test(suffix))?.[1] ?? 'none';
}

const BLOCK_BEFORE = /\bblock(?: number)? ?#?$/i;
const CHAIN_BEFORE = /\bchain(?: id)? ?#?$/i;

/** The unit in the words before a number. */
export function unitBefore(before: string): FigureUnit {
  if (BLOCK_BEFORE.test(before)) return 'block';
  return CHAIN_BEFORE.test(before) ? 'chain' : 'none';
}
