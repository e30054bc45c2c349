/**
 * Names that lead to the inside of some network by definition (RFC 6762, RFC 8375, ICANN's reservation of .internal) or
 * by custom. `localhost` is not among them: the resolver knows it.
 */
const PRIVATE_SUFFIXES = new Set([
  'corp',
  'home',
  'home.arpa',
  'internal',
  'intranet',
  'lan',
  'local',
  'localdomain',
  'private',
]);

/**
 * Why a host name is refused whatever it resolves to, or null. A name without a dot is found by search domains alone.
 * @param hostname as a URL's parser leaves it: lower case, ASCII
 * @param isInsideOpened ranges beside the public ones are open, and names of the inside with them
 */
export function refusedName(hostname: string, isInsideOpened: boolean): string | null {
  const labels = hostname.replace(/\.$/, '').split('.');
  // The parser takes `127.0.0.1..` for a name.
  if (labels.includes('')) return 'not_a_name';
  if (isInsideOpened || labels.at(-1) === 'localhost') return null;
  const isPrivate =
    labels.length === 1 || labels.some((_, i) => PRIVATE_SUFFIXES.has(labels.slice(i).join('.')));
  return isPrivate ? 'private_name' : null;
}
