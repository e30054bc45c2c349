/**
 * Format, private-use and unpaired characters, fillers and variation selectors: they are invisible and can
 * hide text.
 */
const INVISIBLE = /[\p{DI}\p{Cf}\p{Co}\p{Cs}\u2800]/gu;

/**
 * The visible text on one line: without control, zero-width and bidirectional characters, with one plain
 * space for each white space.
 */
export function visible(text: string): string {
  return text
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
}

/**
 * The permitted characters of an answer: Latin letters, ASCII digits, common punctuation. A digit of another
 * script, a superscript, a Roman or circled numeral and an emoji are not permitted, so that no number hides
 * in one.
 */
const FOREIGN =
  /[^A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u024F0-9 !-/:-@[-`{-~‐-―‘’“”•…·×÷±≈≤≥→←°\uE000-\uF8FF]/gu;

/** Characters that an answer must not contain. */
export function foreignCharacters(text: string): string[] {
  return [...new Set(text.match(FOREIGN) ?? [])];
}

/** Replaces hyphens and minus signs by `-`, so that the number grammar needs only one of them. */
export function withPlainHyphens(text: string): string {
  return text.replace(/[\u2010\u2011\u2212]/g, '-');
}
