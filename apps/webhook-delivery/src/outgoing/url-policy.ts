import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import type { Cidr } from '@plimsoll/service-kit';
import { isWithin, refusedAddress } from './address-policy';
import { refusedName } from './name-policy';

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

/**
 * Returns why a URL is refused before any name is resolved, or null. The parser has already converted every
 * notation of an IPv4 address (octal, hexadecimal, one number) to the dotted form.
 */
export function refusedUrl(text: string, opened: OpenedRanges): string | null {
  if (!URL.canParse(text)) return 'not_a_url';
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && opened.http)) return 'not_https';
  if (username !== '' || password !== '') return 'user_info';
  const host = hostOf(hostname);
  if (isIP(host) !== 0) return refusedTarget(protocol, host, opened);
  if (hasInvalidPunycode(host)) return 'not_a_url';
  return refusedName(host, opened.cidrs.length > 0);
}

/** Node 26 keeps a label with invalid Punycode unchanged. A resolver may read it differently. */
function hasInvalidPunycode(host: string): boolean {
  return domainToUnicode(host)
    .split('.')
    .some((label) => label.startsWith('xn--'));
}
