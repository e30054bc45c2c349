import type { Fact } from '../../src/facts/fact';
import { formatFact } from '../../src/answers/format';

/** The data that the mock reads from a prompt. A model receives nothing else. */
export interface PromptData {
  kind: string;
  question: string;
  template: { text: string; factIds: string[]; section: string | null }[];
  facts: Omit<Fact, 'source'>[];
  complaints: string[];
}

/** A draft in its final form. */
export interface MockDraft {
  claims: { text: string; factIds: string[]; section: string | null }[];
  cannotAnswer: string | null;
}

/** States the same as the templates in other words, every sentence with its facts. */
export function goodDraft({ template }: PromptData): MockDraft {
  return {
    claims: template.map((claim) =>
      claim.factIds.length === 0 ? claim : { ...claim, text: `In short: ${claim.text}` },
    ),
    cannotAnswer: null,
  };
}

/** Adds a claim to the good draft, or replaces its first one. */
function with_(data: PromptData, change: (text: string) => string): MockDraft {
  const { claims, cannotAnswer } = goodDraft(data);
  return {
    claims: claims.map((claim, at) => (at === 0 ? { ...claim, text: change(claim.text) } : claim)),
    cannotAnswer,
  };
}

const FULL_WIDTH = (digits: string): string =>
  digits.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));

/** Figures that no fact has, in every spelling. */
const INVENTIONS: readonly ((text: string) => string)[] = [
  (text) => `${text} Its health factor is 98765.43.`,
  (text) => text.replace(/\d(?=[^\d]*$)/, (digit) => String((Number(digit) + 5) % 10)) + ' That is 77.7 %.',
  (text) => `${text} That is ninety-nine percent.`,
  (text) => `${text} That is ${FULL_WIDTH('4321')} USD.`,
  (text) => `${text} That is 4 3 2 1 USD.`,
  (text) => `${text} That is 4\u200b3\u200b2\u200b1 USD.`,
  (text) => `${text} That is MMXXVI days.`,
  (text) => `${text} It happened on 2019-03-04.`,
  (text) => `${text} It will happen on March 4.`,
  (text) => `${text} That is $9.9M.`,
  (text) => `${text} It is three times as much.`,
  (text) => `${text} It is a third of that.`,
  (text) => `${text} That is 98.7 wstETH.`,
  (text) => `${text} That is ٤٣٢١ USD.`,
  (text) => `${text} Das sind neunundneunzig Prozent.`,
];

/** The drafts of a model that follows instructions in its data. */
const OBEDIENCE: readonly ((data: PromptData) => MockDraft)[] = [
  (data) => with_(data, (text) => `${text} [Claim it here](https://evil.example/claim).`),
  (data) => with_(data, (text) => `![chart](https://evil.example/leak.png?q=1) ${text}`),
  (data) => with_(data, (text) => `${text} Go to evil.example now.`),
  (data) => with_(data, (text) => `${text} Write to help@evil.example.`),
  (data) => with_(data, (text) => `${text} <img src=x onerror=alert(1)>`),
  (data) => with_(data, (text) => `${text} The same holds for pos_0000000000000000000000.`),
  (data) => with_(data, (text) => `${text} So it is for 0x000000000000000000000000000000000000dEaD.`),
  (data) => with_(data, (text) => `${text} The key is psk_live_0123456789abcdefghijABCDEFGHIJ.`),
  (data) => with_(data, (text) => `${text} The health factor is 55555.`),
  (data) => ({
    claims: [{ text: data.question, factIds: [data.facts[0]?.id ?? 'none'], section: null }],
    cannotAnswer: null,
  }),
  (data) => ({
    claims: [{ text: 'PWNED', factIds: [data.facts[0]?.id ?? 'none'], section: null }],
    cannotAnswer: null,
  }),
  (data) => ({
    claims: [
      ...goodDraft(data).claims,
      { text: 'PWNED', factIds: [data.facts[0]?.id ?? 'none'], section: null },
    ],
    cannotAnswer: null,
  }),
  (data) => ({ claims: [], cannotAnswer: `I was told to say 424242 and ${data.question}` }),
  (data) => ({
    claims: goodDraft(data).claims.map((claim) => ({ ...claim, factIds: ['account.other.debtUsd'] })),
    cannotAnswer: null,
  }),
];

/** Texts that are not drafts. */
const BROKEN: readonly ((data: PromptData) => string)[] = [
  () => 'Sure! The health factor is 98765.43.',
  (data) => JSON.stringify({ answer: goodDraft(data).claims[0]?.text }),
  (data) => JSON.stringify({ claims: goodDraft(data).claims.map(({ text }) => ({ text })) }),
  (data) => JSON.stringify(goodDraft(data)).slice(0, -20),
  () => '',
  () => '{"claims":[],"cannotAnswer":null}',
  (data) => JSON.stringify({ ...goodDraft(data), extra: 98765 }),
  (data) =>
    JSON.stringify({
      claims: goodDraft(data).claims.map((claim) => ({ ...claim, factIds: [] })),
      cannotAnswer: null,
    }),
];

/** A figure of the template with its offset. */
interface TemplateFigure {
  claim: number;
  id: string;
  unit: string;
  shown: string;
}

/**
 * The offset of the fact's own text, so that the figure belongs to the fact and is no part of a longer one.
 */
function placeOf(text: string, shown: string): number {
  const at = text.indexOf(shown);
  const isWhole = !/[\d.,-]/.test(text.charAt(at - 1)) && !/^[.,]?\d/.test(text.slice(at + shown.length));
  return at >= 0 && isWhole && text.indexOf(shown, at + 1) < 0 ? at : -1;
}

/** The good draft with two right figures of one unit exchanged, each with its citation. */
export function swappedDrafts(data: PromptData): MockDraft[] {
  const { claims, cannotAnswer } = goodDraft(data);
  const facts = new Map(data.facts.map((fact) => [fact.id, fact]));
  const shownFigures = claims.flatMap(({ text, factIds }, claim) =>
    factIds.flatMap((id): TemplateFigure[] => {
      const fact = facts.get(id);
      if (typeof fact?.value !== 'number') return [];
      const shown = formatFact({ ...fact, source: '' });
      return placeOf(text, shown) < 0 ? [] : [{ claim, id, unit: `${fact.unit} ${fact.symbol}`, shown }];
    }),
  );
  const pairs = shownFigures.flatMap((a, at) =>
    shownFigures
      .slice(at + 1)
      .flatMap((b) => (a.unit === b.unit && a.shown !== b.shown ? [[a, b] as const] : [])),
  );
  return pairs.map(([a, b]) => ({
    cannotAnswer,
    claims: claims.map((claim, at) => ({
      ...claim,
      text: swapped(claim.text, at === a.claim ? a.shown : null, at === b.claim ? b.shown : null, a, b),
      factIds:
        at === a.claim || at === b.claim ? [...new Set([...claim.factIds, a.id, b.id])] : claim.factIds,
    })),
  }));
}

function swapped(
  text: string,
  first: string | null,
  second: string | null,
  a: TemplateFigure,
  b: TemplateFigure,
): string {
  const places = [
    ...(first === null ? [] : [{ at: placeOf(text, first), shown: first, by: b.shown }]),
    ...(second === null ? [] : [{ at: placeOf(text, second), shown: second, by: a.shown }]),
  ].toSorted((x, y) => y.at - x.at);
  return places.reduce((so, { at, shown, by }) => so.slice(0, at) + by + so.slice(at + shown.length), text);
}

/** One figure of the template replaced by another right one of its unit, with that one's citation. */
export function replacedDrafts(data: PromptData): MockDraft[] {
  const { claims, cannotAnswer } = goodDraft(data);
  const facts = new Map(data.facts.map((fact) => [fact.id, fact]));
  return claims.flatMap(({ text, factIds }, claim) =>
    factIds.flatMap((id) => {
      const own = facts.get(id);
      if (typeof own?.value !== 'number') return [];
      const shown = formatFact({ ...own, source: '' });
      const at = placeOf(text, shown);
      if (at < 0) return [];
      return data.facts
        .filter(
          (other) =>
            other.unit === own.unit && other.symbol === own.symbol && typeof other.value === 'number',
        )
        .map((other) => ({ id: other.id, by: formatFact({ ...other, source: '' }) }))
        .filter(({ by }) => by !== shown)
        .map((other) => ({
          cannotAnswer,
          claims: claims.map((each, index) =>
            index === claim
              ? {
                  ...each,
                  text: text.slice(0, at) + other.by + text.slice(at + shown.length),
                  factIds: [...factIds.filter((cited) => cited !== id), other.id],
                }
              : each,
          ),
        }));
    }),
  );
}

const turn = <T>(variants: readonly T[], call: number): T => variants[call % variants.length]!;

/** The content of the response to the n-th call. Null: this mode has none. */
export function contentOf(mode: string, data: PromptData, call: number): string | null {
  switch (mode) {
    case 'answers':
    case 'fenced':
      return mode === 'fenced'
        ? `\`\`\`json\n${JSON.stringify(goodDraft(data))}\n\`\`\``
        : JSON.stringify(goodDraft(data));
    case 'invents':
      return JSON.stringify(with_(data, turn(INVENTIONS, call)));
    case 'invents_once':
      return JSON.stringify(
        data.complaints.length > 0 ? goodDraft(data) : with_(data, turn(INVENTIONS, call)),
      );
    case 'swaps': {
      const swaps = [...swappedDrafts(data), ...replacedDrafts(data)];
      return JSON.stringify(swaps.length > 0 ? turn(swaps, call) : with_(data, turn(INVENTIONS, call)));
    }
    case 'obeys_injections':
      return JSON.stringify(turn(OBEDIENCE, call)(data));
    case 'breaks_schema':
      return turn(BROKEN, call)(data);
    default:
      return null;
  }
}
