import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { type Cidr, parseCidrs } from '@plimsoll/service-kit';
import { isWithin, refusedAddress } from './address-policy';
import { refusedName } from './name-policy';
import { isRefusedPort } from './refused-ports';

/** UTF-16 units of the longest URL. */
const MAX_URL_LENGTH = 2_048;

/** White space, control and format characters, and the backslash, which URL parsers read as a slash. */
const INVALID_CHARACTER = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Zs}\\]/u;
/** The authority between the two slashes and the path. */
const AUTHORITY = /^[a-z]+:\/\/([^/?#]+)/i;
const LEADING_ZERO = /:0\d+$/;
/** Digits and dots outside ASCII, and escapes. A URL parser converts them to others. */
const CONVERTED = /%|[^\p{ASCII}\p{L}\p{M}]/u;

/**
 * Returns why the text of a URL is refused, or null. The parser of the URL standard repairs many texts, and a
 * proxy or a log may read the same text differently. So only a text that needs no repair is accepted.
 * @param text a URL that the parser accepts
 */
function refusedForm(text: string): string | null {
  if (INVALID_CHARACTER.test(text)) return 'invalid_character';
  const authority = AUTHORITY.exec(text)?.[1];
  if (authority === undefined) return 'missing_slashes';
  const host = authority.replace(/:\d*$/, '');
  if (host.endsWith('.')) return 'trailing_dot';
  const { hostname } = new URL(text);
  const isRewritten = (isIP(hostname) === 4 && host !== hostname) || host.normalize('NFKC') !== host;
  return isRewritten || CONVERTED.test(host) || LEADING_ZERO.test(authority) ? 'ambiguous_host' : null;
}

/** Addresses that webhooks may reach in addition to public HTTPS. */
export interface OpenedRanges {
  cidrs: readonly Cidr[];
  /** Plain HTTP, to `cidrs` only. */
  http: boolean;
}

/** Returns why a request to an address is refused, or null. `protocol` has the form of a URL: `https:`. */
export function refusedTarget(protocol: string, address: string, opened: OpenedRanges): string | null {
  const refused = refusedAddress(address, opened.cidrs);
  if (refused !== null) return refused;
  if (protocol === 'https:') return null;
  return opened.http && isWithin(address, opened.cidrs) ? null : 'not_https';
}

/** Returns the host of a URL without the brackets of an IPv6 literal. */
export function hostOf(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** Returns the port of a URL, also where it is the default one of the protocol. */
export function portOf({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/**
 * Returns why a URL is refused before any name is resolved, or null. The parser has already converted every
 * notation of an IPv4 address (octal, hexadecimal, one number) to the dotted form, so the address is checked
 * first and gives the more useful reason.
 * @param own the origin of this platform; null where it is not configured
 */
export function refusedUrl(text: string, opened: OpenedRanges, own: URL | null): string | null {
  if (text.length > MAX_URL_LENGTH) return 'too_long';
  if (!URL.canParse(text)) return 'not_a_url';
  const url = new URL(text);
  const { protocol, hostname } = url;
  if (protocol !== 'https:' && !(protocol === 'http:' && opened.http)) return 'not_https';
  if (hasUserInfo(text, url)) return 'user_info';
  const refused = refusedHost(protocol, hostOf(hostname), opened) ?? refusedForm(text);
  if (refused !== null) return refused;
  if (isRefusedPort(portOf(url))) return 'refused_port';
  return own !== null && isOwn(url, own) ? 'own_url' : null;
}

function refusedHost(protocol: string, host: string, opened: OpenedRanges): string | null {
  if (isIP(host) !== 0) return refusedTarget(protocol, host, opened);
  return hasInvalidPunycode(host) ? 'not_a_url' : refusedName(host);
}

/** The parser removes an empty user info: `https://@host/`. */
function hasUserInfo(text: string, { username, password }: URL): boolean {
  return username !== '' || password !== '' || /^[^/?#]*:[/\\]*[^/\\?#]*@/.test(text);
}

/**
 * A name is ours on every port. An address is ours on the port of our origin only. On loopback, every address and name
 * of the machine is ours on that port.
 */
function isOwn(url: URL, own: URL): boolean {
  if (isLoopback(url) && isLoopback(own)) return portOf(url) === portOf(own);
  if (url.hostname !== own.hostname) return false;
  return isIP(hostOf(url.hostname)) === 0 || portOf(url) === portOf(own);
}

const LOOPBACK = parseCidrs('127.0.0.0/8,::1/128');

function isLoopback({ hostname }: URL): boolean {
  const host = hostOf(hostname);
  return isWithin(host, LOOPBACK) || host === 'localhost' || host.endsWith('.localhost');
}

/** Node 26 keeps a label with invalid Punycode unchanged. A resolver may read it differently. */
function hasInvalidPunycode(host: string): boolean {
  return domainToUnicode(host)
    .split('.')
    .some((label) => label.startsWith('xn--'));
}
