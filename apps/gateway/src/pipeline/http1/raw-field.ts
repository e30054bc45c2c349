/** A token of RFC 9110, 5.6.2, as the source of a regular expression. */
export const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";

/**
 * Returns the value of a field in raw headers, with repeated ones joined by a comma, or undefined.
 * @param name lower case
 */
export function rawField(rawHeaders: readonly string[], name: string): string | undefined {
  let found: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const spelling = rawHeaders[at] ?? '';
    if (spelling.length !== name.length || (spelling !== name && spelling.toLowerCase() !== name)) continue;
    const value = rawHeaders[at + 1] ?? '';
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}
