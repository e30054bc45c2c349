import type { Fact } from '../facts/fact';
import { visible, withPlainHyphens } from '../facts/characters';
import { CARDINAL_RUN, COUNT_WORD, PROPORTION } from './number-words';

/**
 * Names are marked by characters from here on. No other text contains one, because they are removed from all
 * texts.
 */
const FIRST_MARK = 0xe000;
/** Replaces a part that was read and removed. */
export const TAKEN = '\uF8FF';
const MAX_NAMES = 0xf8ff - FIRST_MARK;
const MAX_QUOTED = 40;
const QUOTE = /["“”]/;

const RECORD_ID = /\b(?:pos|alt|wh|rule|exec|wc|del|inc)_[A-Za-z0-9]+/g;
const ADDRESS = /\b0x[0-9a-f]{4,}\b/gi;
/** A token with such a name would change the meaning of its amount. */
const UNIT_WORD =
  /^(?:usd|dollars?|per.?cent|percentage|points?|bps?|pp|times|x|k|m|b|t|seconds?|minutes?|hours?|days?|weeks?|months?|years?|thousand|million|billion|trillion)$/i;
const WITH_DIGIT = /[A-Za-z][A-Za-z0-9]*\d[A-Za-z0-9]*/g;

/** The names that an answer may use although they contain digits: those of its facts. */
export class KnownNames {
  private readonly marked: readonly string[];
  /** Texts from outside that may be quoted. Their marks follow those of the names. */
  private readonly quotes: readonly string[];
  /** The names behind the marks, in their original spelling. */
  private readonly spelled: readonly string[];
  private readonly indexes: ReadonlyMap<string, number>;
  private readonly pattern: RegExp | null;
  private readonly addresses: readonly string[];
  private readonly symbols: ReadonlySet<string>;

  /** @param texts that will be searched: a name that occurs in none of them is skipped; default: any text */
  constructor(facts: Iterable<Fact>, texts?: Iterable<string>) {
    const isSought = texts === undefined ? () => true : occursIn(texts);
    const names = new Set<string>();
    const symbols = new Set<string>();
    const quotes = new Set<string>();
    const spelled = new Map<string, string>();
    for (const fact of facts) {
      if (fact.unit === 'text' && typeof fact.value === 'string' && isQuotable(fact.value))
        quotes.add(fact.value);
      for (const name of namesIn(fact)) {
        names.add(name.toLowerCase());
        spelled.set(name.toLowerCase(), name);
      }
      const symbol =
        fact.symbol ?? (fact.unit === 'text' && typeof fact.value === 'string' ? fact.value : null);
      if (symbol !== null && isNameFromOutside(symbol)) {
        symbols.add(symbol.toLowerCase());
        spelled.set(symbol.toLowerCase(), symbol);
      }
    }
    this.marked = [...names, ...symbols]
      .filter(isSought)
      .toSorted((a, b) => b.length - a.length)
      .slice(0, MAX_NAMES);
    this.quotes = [...quotes].slice(0, MAX_NAMES - this.marked.length);
    this.spelled = [...this.marked.map((name) => spelled.get(name) ?? name), ...this.quotes];
    this.indexes = new Map(this.marked.map((name, index) => [spellingKey(name), index]));
    this.symbols = symbols;
    // A short form of an address has another spelling.
    this.addresses = [...names].filter((name) => name.startsWith('0x'));
    this.pattern =
      this.marked.length === 0
        ? null
        : new RegExp(
            String.raw`(?<![\p{L}\p{N}_])(?:${this.marked.map(spellings).join('|')})(?![\p{L}\p{N}_])`,
            'giu',
          );
  }

  /** Replaces each name with digits, or in other letters, by a mark. */
  mark(text: string): string {
    const whole =
      this.pattern === null ? text : text.replace(this.pattern, (name) => this.markOf(name) ?? name);
    return whole.replace(
      /0x([0-9a-f]{4,})(?:…|\.{2,3})([0-9a-f]{4,})/gi,
      (short, head: string, tail: string) =>
        this.addresses.some(
          (address) => address.startsWith(`0x${head.toLowerCase()}`) && address.endsWith(tail.toLowerCase()),
        )
          ? TAKEN
          : short,
    );
  }

  /** The token of a word or of a mark, in lower case. Null when there is none of that name. */
  symbolOf(word: string): string | null {
    const name = (this.marked[word.charCodeAt(0) - FIRST_MARK] ?? word).toLowerCase();
    return this.symbols.has(name) ? name : null;
  }

  /** The text with the marks replaced by their names. */
  unmark(text: string): string {
    return text.replace(/[\uE000-\uF8FE]/g, (mark) => this.spelled[mark.charCodeAt(0) - FIRST_MARK] ?? mark);
  }

  /** Marks short texts from outside that are quoted whole, as written. */
  markQuotes(text: string, facts: Iterable<Fact>): string {
    let marked = text;
    for (const { unit, value } of facts) {
      if (unit !== 'text' || typeof value !== 'string' || !isQuotable(value)) continue;
      const index = this.quotes.indexOf(value);
      const mark = index < 0 ? TAKEN : String.fromCharCode(FIRST_MARK + this.marked.length + index);
      marked = marked.replaceAll(`"${value}"`, mark).replaceAll(`“${value}”`, mark);
    }
    return marked;
  }

  private markOf(spelled: string): string | null {
    const index = this.indexes.get(spellingKey(spelled.toLowerCase()));
    // A plain word contains no number, and may be the unit of one.
    if (index === undefined || (/^[A-Za-z]+$/.test(spelled) && !this.isSymbol(spelled))) return null;
    return String.fromCharCode(FIRST_MARK + index);
  }

  private isSymbol(spelled: string): boolean {
    return spelled === spelled.toUpperCase() && this.symbols.has(spelled.toLowerCase());
  }
}

function isQuotable(value: string): boolean {
  return value.length <= MAX_QUOTED && value.trim() !== '' && !QUOTE.test(value);
}

/**
 * A text from outside as an answer may show it: a name as it is, another short text in quotes, and for a
 * longer one only that it exists.
 */
export function spoken(text: string): string {
  if (isNameFromOutside(text)) return text;
  return isQuotable(text) ? `"${text}"` : '(a name that is not shown)';
}

/** The results for facts: each answer is verified more than once. */
const found = new WeakMap<Fact, readonly string[]>();

function namesIn(fact: Fact): readonly string[] {
  const known = found.get(fact);
  if (known) return known;
  const names = readNames(fact);
  found.set(fact, names);
  return names;
}

function readNames({ id, label, source, value, unit, symbol }: Fact): string[] {
  const own = [id, source, unit === 'id' || unit === 'enum' ? String(value) : ''].join(' ');
  const names = [
    ...(own.match(RECORD_ID) ?? []),
    ...(own.match(ADDRESS) ?? []),
    ...(label.match(WITH_DIGIT) ?? []),
  ];
  if ((unit === 'id' || unit === 'enum') && typeof value === 'string' && isOwnName(value)) names.push(value);
  if (symbol !== undefined && isNameFromOutside(symbol)) names.push(symbol);
  return names;
}

/** Ids and enum values of this platform, except those that read as a number, such as `24h`. */
function isOwnName(value: string): boolean {
  return /^[A-Za-z][^%$€£¥"“”]{1,79}$/.test(value);
}

/**
 * Whether a text from outside may be used as a name. Any account can deploy a token, so a symbol that reads
 * as a number or as a sentence is rejected.
 */
export function isNameFromOutside(value: string): boolean {
  if (value.length > MAX_QUOTED || isNumberWord(value.toLowerCase()) || UNIT_WORD.test(value)) return false;
  return value === '1INCH' || /^\p{L}(?:[\p{L}\p{N}₮_+-]|\.(?=\p{L}))*$/u.test(value);
}

function isNumberWord(word: string): boolean {
  return (
    PROPORTION[word] !== undefined || COUNT_WORD[word] !== undefined || word.replace(CARDINAL_RUN, '') === ''
  );
}

/** Whether a name, in lower case, occurs in one of the texts, in any spelling. */
function occursIn(texts: Iterable<string>): (name: string) => boolean {
  const all = spellingKey([...texts].map((text) => withPlainHyphens(visible(text)).toLowerCase()).join('\n'));
  return (name) => all.includes(spellingKey(name));
}

/** `aave-v3` is also spelled `Aave v3`. */
const spellingKey = (name: string): string => name.replace(/[-_ ]/g, ' ');

function spellings(name: string): string {
  return spellingKey(name)
    .split(' ')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('[-_ ]');
}
