import type { NumberFigure } from './figure';
import { hedgeBefore } from './hedges';
import { type KnownNames, TAKEN } from './known-names';
import { UNIT_SUFFIX, unitBefore, unitOf } from './units';

const DIGITS = String.raw`(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,2})?`;
const SCALE = String.raw`(?: ?(?:thousand|million|billion|trillion|mn|bn|tn)|[kKmMbBT])\b`;

/**
 * A number in ASCII digits: thousands by comma or space, decimals by point, `k` to `T`, its currency and its
 * unit. More digits directly before or after it make it invalid: a row of single digits is not a number.
 */
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{Co}\d_.,:/'’^]|\d )` +
    String.raw`(?<sign>(?<=^|[\s(“"~≈:])[-+])?(?<currency>US\$|\$|USD )?` +
    String.raw`(?<digits>${DIGITS})(?<scale>${SCALE})?` +
    String.raw`(?:(?<unit>${UNIT_SUFFIX})(?![\p{L}\p{Co}\d_])|(?![\p{L}\p{Co}\d_%^]|[.,:/'’]\d| \d))`,
  'giu',
);
/** A third number behind two hyphens makes all of `1-2-4` invalid. */
const CHAIN_BEFORE = /\d[-–]\d[\d.,]*[-–]$/;
const CHAIN_AFTER = /^[-–]\d[\d.,]*[-–]\d/;
/** `from 31 to 15 %`: one unit for both. */
const SHARED = new RegExp(
  String.raw`^ ?(?:to|and|or|[-–,→]|->) ?[-+]?${DIGITS}(?:${SCALE})?(?<unit>${UNIT_SUFFIX}| [A-Za-z\uE000-\uF8FE][A-Za-z0-9]*)`,
  'i',
);
const WORD_AFTER = /^ (?<word>[A-Za-z][A-Za-z0-9]*|[\uE000-\uF8FE])/;
const HALF_AFTER = /^ and a half\b/i;

const SCALES: Readonly<Record<string, number>> = { k: 1e3, t: 1e3, m: 1e6, b: 1e9 };

/** Removes the numbers in digits from a text. */
export function readDigits(text: string, names: KnownNames): { figures: NumberFigure[]; rest: string } {
  const figures: NumberFigure[] = [];
  const rest = text.replace(NUMBER, (whole: string, ...groups: unknown[]) => {
    const offset = groups.at(-3) as number;
    const before = text.slice(0, offset);
    const after = text.slice(offset + whole.length);
    if (CHAIN_BEFORE.test(before) || CHAIN_AFTER.test(after) || HALF_AFTER.test(after)) return whole;
    figures.push(figureOf(whole, groups.at(-1) as Record<string, string | undefined>, before, after, names));
    return TAKEN;
  });
  return { figures, rest };
}

function figureOf(
  whole: string,
  { sign, currency, digits = '', scale, unit }: Record<string, string | undefined>,
  before: string,
  after: string,
  names: KnownNames,
): NumberFigure {
  const [mantissa = '', exponent = '0'] = digits.replace(/[, ]/g, '').split(/e/i);
  const factor = scaleOf(scale) * 10 ** Number(exponent);
  const [units = '', decimals = ''] = mantissa.split('.');
  const zeros = decimals === '' ? (/^[1-9]\d*?(0+)$/.exec(units)?.[1]?.length ?? 0) : 0;
  const place = factor * 10 ** -decimals.length;
  const figure: NumberFigure = {
    kind: 'number',
    text: whole.trim(),
    value: Number(mantissa) * factor,
    sign: (sign ?? '') as NumberFigure['sign'],
    place,
    roundPlace: place * 10 ** zeros,
    unit: currency === undefined ? unitOf(unit ?? '') : 'usd',
    hedge: hedgeBefore(before),
    before,
    after,
  };
  if (currency !== undefined && unit !== undefined && unitOf(unit) !== 'usd') figure.unit = 'unknown';
  if (figure.unit === 'none') figure.unit = unitBefore(before);
  if (figure.unit !== 'none') return figure;
  const word = WORD_AFTER.exec(after)?.groups?.['word'] ?? '';
  const symbol = names.symbolOf(word);
  if (symbol !== null) return { ...figure, unit: 'token', symbol };
  // `BTC`, `wstETH`: a word with two capitals after a number is a token that no fact has.
  if (/^[A-Za-z]*[A-Z][A-Za-z]*[A-Z]/.test(word) && word !== 'UTC') return { ...figure, unit: 'unknown' };
  const shared = sharedUnit(after, names);
  return shared === null ? figure : { ...figure, shared };
}

function sharedUnit(after: string, names: KnownNames): NumberFigure['shared'] | null {
  const suffix = SHARED.exec(after)?.groups?.['unit'];
  if (suffix === undefined) return null;
  const unit = unitOf(suffix);
  if (unit !== 'none') return { unit };
  const symbol = names.symbolOf(suffix.trim());
  return symbol === null ? null : { unit: 'token', symbol };
}

function scaleOf(scale: string | undefined): number {
  const name = scale?.trim().toLowerCase();
  if (!name) return 1;
  if (name === 't') return 1e12;
  if (name.startsWith('tr') || name === 'tn') return 1e12;
  return SCALES[name.charAt(0)] ?? 1;
}
