/** Why a text is not canonical JSON. */
export type CanonicalCode =
  'not_json' | 'whitespace' | 'key_order' | 'duplicate_key' | 'number_form' | 'string_form';

/** A text that differs from its canonical form. */
export class NotCanonical extends Error {
  override readonly name = 'NotCanonical';

  constructor(
    readonly code: CanonicalCode,
    readonly at: number,
    what: string,
  ) {
    super(`${what} at character ${at}`);
  }
}

/** Half of a pair of UTF-16 units, which no UTF-8 text has. */
const HALF_PAIR = /\p{Surrogate}/u;

/** Text that JSON writes as it is, which most text of a receipt is. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** A JSON value of a receipt. Its numbers are whole, so that every language writes them in the same way. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A value whose canonical text is known, as a part of another one. */
export class CanonicalText {
  constructor(readonly text: string) {}
}

/**
 * The one text of a value by RFC 8785: names in the order of their UTF-16 units, no whitespace.
 * @throws RangeError for a number that is not a safe integer, and for text with half a surrogate pair
 */
export function canonicalJson(
  value: Json | CanonicalText | Readonly<Record<string, Json | CanonicalText>>,
): string {
  if (typeof value === 'string') return textOf(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no safe integer`);
    return String(Object.is(value, -0) ? 0 : value);
  }
  if (value === null || typeof value === 'boolean') return String(value);
  if (value instanceof CanonicalText) return value.text;
  let parts = '';
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) parts += `${parts && ','}${canonicalJson(item)}`;
    return `[${parts}]`;
  }
  const fields = value as Readonly<Record<string, Json>>;
  // The order of UTF-16 units is that of sort.
  for (const name of Object.keys(fields).sort())
    parts += `${parts && ','}${textOf(name)}:${canonicalJson(fields[name]!)}`;
  return `{${parts}}`;
}

function textOf(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (HALF_PAIR.test(text)) throw new RangeError('half a surrogate pair');
  return JSON.stringify(text);
}

const MOST_LEVELS = 16;
const NUMBER = /-?[0-9.][0-9.eE+-]*/y;
const CANONICAL_NUMBER = /^(0|-?[1-9][0-9]*)$/;
const STRING = /"(?:[^"\\]|\\.)*"/suy;

/** The value of a canonical text. @throws NotCanonical with the first difference from the canonical form */
export function parseCanonical(text: string): Json {
  const parser = new Parser(text);
  const value = parser.value(0);
  parser.end();
  return value;
}

class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  value(level: number): Json {
    if (level > MOST_LEVELS) this.fail('not_json', 'too many levels');
    this.noSpace();
    const next = this.text[this.at];
    if (next === '{') return this.object(level);
    if (next === '[') return this.array(level);
    if (next === '"') return this.string();
    for (const [word, value] of [['true', true] as const, ['false', false] as const, ['null', null] as const])
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    return this.number();
  }

  end(): void {
    this.noSpace();
    if (this.at < this.text.length) this.fail('not_json', 'text after the value');
  }

  private object(level: number): Json {
    const fields: [string, Json][] = [];
    const names = new Set<string>();
    let last: string | undefined;
    this.list('}', () => {
      const from = this.at;
      if (this.text[from] !== '"') this.fail('not_json', 'no name');
      const name = this.string();
      if (names.has(name)) this.fail('duplicate_key', `${name} a second time`, from);
      if (last !== undefined && name < last) this.fail('key_order', `${name} after ${last}`, from);
      names.add(name);
      last = name;
      this.noSpace();
      this.take(':');
      fields.push([name, this.value(level + 1)]);
    });
    return Object.fromEntries(fields);
  }

  private array(level: number): Json {
    const items: Json[] = [];
    this.list(']', () => items.push(this.value(level + 1)));
    return items;
  }

  private list(end: string, item: () => void): void {
    this.at += 1;
    this.noSpace();
    if (this.text[this.at] === end) return void (this.at += 1);
    for (;;) {
      this.noSpace();
      item();
      this.noSpace();
      if (this.text[this.at] === end) return void (this.at += 1);
      this.take(',');
    }
  }

  private string(): string {
    const from = this.at;
    STRING.lastIndex = from;
    const found = STRING.exec(this.text)?.[0];
    if (found === undefined) return this.fail('not_json', 'no text');
    let value: unknown;
    try {
      value = JSON.parse(found);
    } catch {
      return this.fail('not_json', 'an invalid escape');
    }
    const text = value as string;
    if (HALF_PAIR.test(text) || JSON.stringify(text) !== found)
      this.fail('string_form', 'text in another form', from);
    this.at += found.length;
    return text;
  }

  private number(): number {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text)?.[0];
    if (found === undefined) return this.fail('not_json', 'no value');
    if (!CANONICAL_NUMBER.test(found) || !Number.isSafeInteger(Number(found)))
      this.fail('number_form', `${found} is no whole number in its shortest form`);
    this.at += found.length;
    return Number(found);
  }

  private take(character: string): void {
    if (this.text[this.at] !== character) this.fail('not_json', `no ${character}`);
    this.at += 1;
  }

  private noSpace(): void {
    if (/[ \t\n\r]/.test(this.text[this.at] ?? '')) this.fail('whitespace', 'whitespace');
  }

  private fail(code: CanonicalCode, what: string, at = this.at): never {
    throw new NotCanonical(code, at, what);
  }
}
