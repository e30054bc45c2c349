/**
 * The value of a field in raw headers; repeated ones joined by a comma, as Node joins most of them. Undefined: not there.
 * A call needs few of its headers: `headers` of a request makes an object of them all, for as much as all else that is
 * read of it.
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
