import type { RiskQaAnswer } from '@plimsoll/contracts';
import type { EvalQuestion } from './question';

/** Tolerance for rounding in the text and for interest between two recorded responses. */
const RELATIVE = 2e-5;
const OLD = /\bold\b|\bmissing\b|could not be read/i;
const NUMBER = /(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?![\w])/g;

export interface Verdict {
  passed: boolean;
  /** The faults of the answer. */
  faults: string[];
  /** Figures in the answer that no fact of it has. */
  unsupported: string[];
}

interface StatedNumber {
  value: number;
  /** Half of the last shown digit. */
  rounding: number;
  text: string;
}

/** The numbers of a text. Texts of facts (ids, times, names) contain none. */
function numbersIn(text: string, words: readonly string[]): StatedNumber[] {
  let plain = text;
  for (const word of words.toSorted((a, b) => b.length - a.length)) plain = plain.replaceAll(word, ' ');
  return (plain.match(NUMBER) ?? []).map((found) => {
    const decimals = found.split('.')[1]?.length ?? 0;
    return { value: Number(found.replaceAll(',', '')), rounding: 0.5 * 10 ** -decimals, text: found };
  });
}

const fits = ({ value, rounding }: StatedNumber, expected: number): boolean =>
  Math.abs(value - expected) <= rounding * 1.000001 + RELATIVE * Math.abs(expected);

/**
 * Values that the facts of an answer support: each fact itself, probabilities in percent, sums, differences,
 * ratios and counts.
 */
function supported(facts: RiskQaAnswer['facts']): (said: StatedNumber) => boolean {
  const figures = facts.flatMap(({ value, unit }) =>
    typeof value === 'number' ? [{ value: unit === 'fraction' ? value * 100 : value, unit }] : [],
  );
  const byUnit = new Map<string, number[]>();
  for (const { value, unit } of figures) byUnit.set(unit, [...(byUnit.get(unit) ?? []), value]);
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
  const of = (suffix: string): number[] =>
    facts.flatMap(({ id, value }) => (id.endsWith(suffix) && typeof value === 'number' ? [value] : []));
  const [held, owed] = [sum(of('.collateralUsd')), sum(of('.debtUsd'))];
  const sums = [held, owed, held - owed, ...[...byUnit.values()].map(sum)];
  const symbols = [...new Set(facts.flatMap(({ symbol }) => symbol ?? []))];
  const bySymbol = symbols.map((each) =>
    sum(facts.flatMap(({ symbol, value }) => (symbol === each && typeof value === 'number' ? [value] : []))),
  );
  const pairs = [...byUnit.values()].flatMap((values) =>
    values.length > 40
      ? []
      : values.flatMap((a) => values.flatMap((b) => [a - b, (a / b) * 100, (a / b - 1) * 100])),
  );
  const values = [...figures.map(({ value }) => value), ...sums, ...bySymbol, ...pairs, facts.length];
  return (said) => values.some((value) => fits(said, value));
}

/** Compares an answer with the requirements of its question. */
export function judge(question: EvalQuestion, answer: RiskQaAnswer): Verdict {
  const words = answer.facts.flatMap(({ value }) =>
    typeof value === 'string' && value.length > 2 ? [value] : [],
  );
  const said = numbersIn(answer.answer, words);
  const isSupported = supported(answer.facts);
  const unsupported = said.filter((each) => !isSupported(each)).map(({ text }) => text);
  const lower = answer.answer.toLowerCase();
  const faults = [
    ...(question.answered !== undefined && question.answered !== answer.answered
      ? [answer.answered ? 'answered' : 'refused']
      : []),
    ...(question.numbers ?? [])
      .filter((number) => !said.some((each) => fits(each, number)))
      .map((each) => `no ${each}`),
    ...(question.words ?? [])
      .filter((word) => !lower.includes(word.toLowerCase()))
      .map((each) => `no "${each}"`),
    ...(question.absent ?? [])
      .filter((word) => lower.includes(word.toLowerCase()))
      .map((each) => `has "${each}"`),
    ...(question.saysOld && !OLD.test(answer.answer) ? ['does not say that it is old'] : []),
  ];
  return { passed: faults.length === 0 && unsupported.length === 0, faults, unsupported };
}
