import type { Fact } from '../facts/fact';
import { foreignCharacters, visible, withPlainHyphens } from '../facts/characters';
import { readDates } from './dates';
import type { Figure } from './figure';
import { type KnownNames, TAKEN } from './known-names';
import {
  DIGIT_LOOKALIKES,
  DISGUISED_WORDS,
  FOREIGN_NUMBER_WORDS,
  ILL_ROMAN,
  ROMAN,
  UNREADABLE_WORDS,
} from './number-words';
import { readDigits } from './read-digits';
import { readWords } from './read-words';

/** The figures of a text, and the parts that may be a figure in an unknown spelling. */
export interface Scan {
  figures: Figure[];
  unreadable: string[];
}

/** Digits, signs of quantities and ids that remain unexplained. */
const UNEXPLAINED: readonly RegExp[] = [
  /[^\s\uE000-\uF8FF]*\d[^\s\uE000-\uF8FF]*/g,
  /[%$€£¥]|\bper ?cents?\b|\bbps\b/gi,
  /\b0x[0-9a-f]*\b/gi,
  /\b(?:pos|alt|wh|rule|exec|wc|del|inc|acc|key|evt|con|req|ses|aud|act|psk|whsec)_\w+/gi,
  UNREADABLE_WORDS,
  FOREIGN_NUMBER_WORDS,
  ROMAN,
  ILL_ROMAN,
  DIGIT_LOOKALIKES,
  DISGUISED_WORDS,
];

/**
 * Scans a text. Every digit of it becomes part of a figure, of a known name, or of `unreadable`, so that no
 * number is missed.
 * @param cited facts whose texts the text may quote
 */
export function scan(text: string, names: KnownNames, cited: readonly Fact[] = []): Scan {
  const plain = withPlainHyphens(visible(text));
  const named = names.mark(names.markQuotes(plain, cited));
  const dates = readDates(named, TAKEN);
  const digits = readDigits(dates.rest, names);
  const words = readWords(digits.rest, names);
  const left = UNEXPLAINED.flatMap((pattern) => words.rest.match(pattern) ?? []);
  return {
    figures: [...dates.figures, ...digits.figures, ...words.figures],
    unreadable: [...words.unreadable, ...left, ...foreignCharacters(named)],
  };
}
