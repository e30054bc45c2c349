/**
 * Names that are internal, or special by definition, with everything below them: RFC 6761 (test, invalid,
 * example, and reverse lookups in arpa), RFC 6762 (local), RFC 7686 (onion), RFC 8375 (home.arpa), RFC 9476
 * (alt), ICANN's reservation of .internal, Kubernetes (svc), and custom. `localhost` is not among them,
 * because the resolver gives it the loopback addresses. `example.com` is not either: it is registered.
 */
const SPECIAL_SUFFIXES = new Set([
  'alt',
  'arpa',
  'corp',
  'example',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'onion',
  'private',
  'svc',
  'test',
]);

/** Public names of the metadata services of clouds. Their hosts resolve them to internal addresses. */
const METADATA_NAMES = new Set([
  'metadata.goog',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
]);

/** RFC 1035, 2.3.4, as text without the final dot. */
const MAX_NAME_CHARS = 253;
const MAX_LABEL_CHARS = 63;

/**
 * Returns why a host name is refused whatever its addresses are, or null. Only search domains resolve a name
 * without a dot.
 * @param hostname as a URL parser returns it: lower case, ASCII
 */
export function refusedName(hostname: string): string | null {
  const name = hostname.replace(/\.$/, '');
  const labels = name.split('.');
  // The parser treats `127.0.0.1..` as a name.
  const isTooLong = name.length > MAX_NAME_CHARS || labels.some(({ length }) => length > MAX_LABEL_CHARS);
  if (labels.includes('') || isTooLong) return 'not_a_name';
  const suffix = labels.at(-1) ?? '';
  if (suffix === 'localhost') return null;
  const isSpecial = labels.length === 1 || SPECIAL_SUFFIXES.has(suffix) || METADATA_NAMES.has(name);
  return isSpecial ? 'private_name' : null;
}
