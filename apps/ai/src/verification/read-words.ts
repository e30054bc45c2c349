import type { NumberFigure } from './figure';
import { hedgeBefore } from './hedges';
import { type KnownNames, TAKEN } from './known-names';
import {
  CARDINAL_RUN,
  COUNT_WORD,
  FRACTION,
  PROPORTION,
  cardinalOf,
  fractionOf,
  placeOfWords,
} from './number-words';
import { UNIT_SUFFIX, unitOf } from './units';

const UNIT_AFTER = new RegExp(String.raw`^(?:${UNIT_SUFFIX})(?![\p{L}\p{Co}\d_])`, 'u');
const WORD_AFTER = /^ (?<word>[A-Za-z][A-Za-z0-9]*|[\uE000-\uF8FE])/;
const PROPORTIONS = new RegExp(String.raw`\b(?:${Object.keys(PROPORTION).join('|')})\b`, 'gi');
const COUNTS = new RegExp(String.raw`\b(?:${Object.keys(COUNT_WORD).join('|')})\b`, 'gi');

/** `one` is mostly no number: `this one`, `one of them`, `the one with the lowest health factor`. */
const PRONOUN_BEFORE =
  /\b(?:this|that|which|each|every|no|any|another|the|only|last|next|other|riskiest|weakest|largest|smallest|safest) $/i;
const PRONOUN_AFTER = /^(?: another\b| of (?:the|your|these|those|its|them)\b|['’]s\b)/i;

/** Removes the numbers in words from a text. `unreadable`: rows of number words that are not a number. */
export function readWords(
  text: string,
  names: KnownNames,
): { figures: NumberFigure[]; unreadable: string[]; rest: string } {
  const figures: NumberFigure[] = [];
  const unreadable: string[] = [];
  const take = (word: string, value: number, at: number, from: string, over: Partial<NumberFigure>): void => {
    const before = from.slice(0, at);
    const after = from.slice(at + word.length);
    figures.push({
      kind: 'number',
      text: word,
      value,
      sign: '',
      place: placeOfWords(word),
      roundPlace: placeOfWords(word),
      hedge: hedgeBefore(before),
      before,
      after,
      ...unitAfter(after, names),
      ...over,
    });
  };

  let rest = text.replace(FRACTION, (word: string, top: string, bottom: string, at: number, from: string) => {
    take(word, fractionOf(top, bottom), at, from, { unit: 'times', isProportion: true });
    return TAKEN;
  });
  rest = rest.replace(CARDINAL_RUN, (run: string, at: number, from: string) => {
    const after = from.slice(at + run.length);
    const isLoneOne = run.toLowerCase() === 'one' && !UNIT_AFTER.test(after);
    if (isLoneOne && (PRONOUN_BEFORE.test(from.slice(0, at)) || PRONOUN_AFTER.test(after))) return TAKEN;
    const value = cardinalOf(run);
    if (value === null || /^ point \w/i.test(after)) unreadable.push(run);
    else take(run, value, at, from, {});
    return TAKEN;
  });
  rest = rest.replace(PROPORTIONS, (word: string, at: number, from: string) => {
    take(word, PROPORTION[word.toLowerCase()] ?? 0, at, from, { unit: 'times', isProportion: true });
    return TAKEN;
  });
  rest = rest.replace(COUNTS, (word: string, at: number, from: string) => {
    take(word, COUNT_WORD[word.toLowerCase()] ?? 0, at, from, { unit: 'count' });
    return TAKEN;
  });
  return { figures, unreadable, rest: rest.replace(UNITS_OF_WORDS, TAKEN) };
}

/** The unit stays behind a removed number word, and is explained with it. */
const UNITS_OF_WORDS = new RegExp(String.raw`${TAKEN}(?:${UNIT_SUFFIX})`, 'g');

function unitAfter(after: string, names: KnownNames): Pick<NumberFigure, 'unit' | 'symbol'> {
  const suffix = UNIT_AFTER.exec(after)?.[0];
  if (suffix !== undefined) return { unit: unitOf(suffix) };
  const symbol = names.symbolOf(WORD_AFTER.exec(after)?.groups?.['word'] ?? '');
  return symbol === null ? { unit: 'none' } : { unit: 'token', symbol };
}
