/**
 * Suffixes of internal names by definition (RFC 6762, RFC 8375, ICANN's reservation of .internal) or by
 * custom. `localhost` is not among them, because the resolver knows it.
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
 * Returns why a host name is refused whatever its addresses are, or null. Only search domains resolve a name
 * without a dot.
 * @param hostname as a URL parser returns it: lower case, ASCII
 * @param isInsideOpened true when ranges beside the public ones are open, and internal names with them
 */
export function refusedName(hostname: string, isInsideOpened: boolean): string | null {
  const labels = hostname.replace(/\.$/, '').split('.');
  // The parser treats `127.0.0.1..` as a name.
  if (labels.includes('')) return 'not_a_name';
  if (isInsideOpened || labels.at(-1) === 'localhost') return null;
  const isPrivate =
    labels.length === 1 || labels.some((_, i) => PRIVATE_SUFFIXES.has(labels.slice(i).join('.')));
  return isPrivate ? 'private_name' : null;
}
