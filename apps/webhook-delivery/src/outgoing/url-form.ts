import { isIP } from 'node:net';

/** UTF-16 units of the longest URL. */
export const MAX_URL_LENGTH = 2_048;

/** White space, control and format characters, and the backslash, which URL parsers read as a slash. */
const INVALID_CHARACTER = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Zs}\\]/u;
/** The authority between the two slashes and the path. */
const AUTHORITY = /^[a-z]+:\/\/([^/?#]+)/i;
/** Digits and dots outside ASCII, and escapes. A URL parser converts them to others. */
const CONVERTED = /%|[^\p{ASCII}\p{L}\p{M}]/u;

/**
 * Returns why the text of a URL is refused, or null. The parser of the URL standard repairs many texts, and a
 * proxy or a log may read the same text differently. So only a text that needs no repair is accepted.
 * @param text a URL that the parser accepts
 */
export function refusedForm(text: string): string | null {
  if (INVALID_CHARACTER.test(text)) return 'invalid_character';
  const authority = AUTHORITY.exec(text)?.[1];
  if (authority === undefined) return 'missing_slashes';
  const host = authority.replace(/:\d*$/, '');
  if (host.endsWith('.')) return 'trailing_dot';
  const { hostname } = new URL(text);
  const isRewritten = isIP(hostname) === 4 && host !== hostname;
  return isRewritten || CONVERTED.test(host) ? 'ambiguous_host' : null;
}
