const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/**
 * Returns whether a JSON text has more than `most` values, without parsing it: V8 needs 60 ms for 1 MiB of
 * names. It stops at the first value above the limit and jumps over texts.
 */
export function hasMoreValues(json: string, most: number): boolean {
  let values = 1;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (code === COMMA || code === OPENING_BRACKET || code === OPENING_BRACE) values += 1;
    if (values > most) return true;
  }
  return false;
}

/** Index of the quote that ends the text that begins at `start`, or of the end of the JSON text. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    if (!isEscaped(json, end)) return end;
  }
  return json.length;
}

/** Whether an odd number of backslashes stands before the character. */
function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}
