import { visible } from './characters';

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  colon: ':',
  gt: '>',
  lpar: '(',
  lsqb: '[',
  lt: '<',
  nbsp: ' ',
  period: '.',
  quot: '"',
  rpar: ')',
  rsqb: ']',
  sol: '/',
};

/** Patterns of links and markup, and the part of each that remains. Each pattern is linear in the text. */
const MARKUP: readonly [RegExp, string][] = [
  [/!\[[^[\]]*\](?:\([^()]*\)?|\[[^[\]]*\])/g, ' '],
  [/\[([^[\]]*)\](?:\([^()]*\)?|\[[^[\]]*\])/g, '$1'],
  [/\[[^[\]]*\]:\s*\S+/g, ' '],
  [/<(script|style)\b[^<>]*>[^<]*<\/\1\s*>/gi, ' '],
  [/<[A-Za-z/!?][^<>]*>?/g, ' '],
  [/[[({]\s?(?:\.|dot)\s?[\])}]/gi, '.'],
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/\S*/gi, ' '],
  [/(?<![\w/])\/\/[\p{L}\p{N}-]+\.\S+/gu, ' '],
  [/\b(?:javascript|vbscript|data|mailto|tel|sms|file|blob|ipfs|ethereum|wc):\S+/gi, ' '],
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}.-]{1,190}/gu, ' '],
  [
    /(?<![\p{L}\p{N}_.-])(?:[\p{L}\p{N}-]{1,63}[.。．｡]){1,8}\p{L}{2,24}(?![\p{L}\p{N}_])(?:[:/?#]\S*)?/gu,
    ' ',
  ],
  [/[^\s]{1,80} dot (?:com|net|org|io|xyz|eth|app|fi|finance|co|info)\b/gi, ' '],
  [/^[\s#>`~|]+/, ''],
];

const MAX_ROUNDS = 8;
/**
 * Text is cut to so many times the cap before it is read, because markup may be longer than the remaining
 * text.
 */
const READ_FACTOR = 4;

/**
 * A text as plain text on one line: without control, zero-width and bidirectional characters, without links,
 * images and HTML (the text of a link remains), no longer than the cap. All text to a model and all text from
 * the service passes through here. A link that appears only when another is removed is removed too.
 * @param maxChars cap, in UTF-16 units; a longer text is cut between words and ends in `…`
 */
export function plainText(text: string, maxChars: number): string {
  let plain = visible(text.slice(0, maxChars * READ_FACTOR));
  for (let round = 0; ; round += 1) {
    const before = plain;
    plain = visible(MARKUP.reduce((rest, [pattern, kept]) => rest.replace(pattern, kept), decoded(plain)));
    if (plain === before) return cut(plain, maxChars);
    // Nested layers of markup are an attempt to hide something.
    if (round === MAX_ROUNDS) return '';
  }
}

function decoded(text: string): string {
  return text
    .replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
    })
    .replace(/&([a-z]{2,6});/gi, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole);
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, maxChars - 1);
  const lastSpace = head.lastIndexOf(' ');
  const whole = lastSpace > maxChars / 2 ? head.slice(0, lastSpace) : head.replace(/[\uD800-\uDBFF]$/, '');
  return `${whole.trimEnd()}…`;
}
