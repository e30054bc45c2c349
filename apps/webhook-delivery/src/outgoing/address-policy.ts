import { isIP } from 'node:net';
import { type Cidr, cidrContains, parseCidr } from '@plimsoll/service-kit';
import ipaddr from 'ipaddr.js';

/**
 * Ranges that a webhook may never reach, by family. An IPv4 range never matches an IPv6 address or the
 * reverse, so no mapped form passes. Source: IANA's special-purpose registries.
 */
const REFUSED_V4: readonly (readonly [cidr: string, reason: string])[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier_grade_nat'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link_local'],
  ['168.63.129.16/32', 'cloud_metadata'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'reserved'],
  ['192.52.193.0/24', 'reserved'],
  ['192.88.99.0/24', '6to4'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'reserved'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
];

/** The first match counts. The rows before the last one only give a better reason. */
const REFUSED_V6: readonly (readonly [cidr: string, reason: string])[] = [
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0/96', 'ipv4_mapped'],
  ['::ffff:0:0:0/96', 'ipv4_translated'],
  ['64:ff9b::/96', 'nat64'],
  ['64:ff9b:1::/48', 'nat64'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link_local'],
  ['fec0::/10', 'site_local'],
  ['ff00::/8', 'multicast'],
  ['2001::/32', 'teredo'],
  ['2001:db8::/32', 'documentation'],
  ['2001::/23', 'reserved'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'reserved'],
  ['3ffe::/16', 'reserved'],
  ['3fff::/20', 'documentation'],
];
const GLOBAL_UNICAST_V6 = parseCidr('2000::/3');

const refusedV4 = REFUSED_V4.map(([text, reason]) => ({ cidr: parseCidr(text), reason }));
const refusedV6 = REFUSED_V6.map(([text, reason]) => ({ cidr: parseCidr(text), reason }));

/** Returns true when the address is in one of the ranges of its own family. */
export function isWithin(address: string, ranges: readonly Cidr[]): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return ranges.some((range) => cidrContains(range, parsed));
}

/**
 * Returns why a webhook may not reach an address, or null when it may.
 * @param address canonical text form, from a URL's host or a resolver; other text is `not_an_address`
 * @param allowed ranges that are open although they are refused by default
 */
export function refusedAddress(address: string, allowed: readonly Cidr[]): string | null {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return 'not_an_address';
  const parsed = ipaddr.parse(address);
  if (allowed.some((range) => cidrContains(range, parsed))) return null;
  const table = family === 4 ? refusedV4 : refusedV6;
  const refused = table.find(({ cidr }) => cidrContains(cidr, parsed));
  if (refused) return refused.reason;
  return family === 4 || cidrContains(GLOBAL_UNICAST_V6, parsed) ? null : 'not_global_unicast';
}
