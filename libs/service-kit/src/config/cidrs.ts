import ipaddr from 'ipaddr.js';

/** A range of addresses of one family. */
export interface Cidr {
  network: ipaddr.IPv4 | ipaddr.IPv6;
  bits: number;
}

/** @throws for text that is not `address/bits` */
export function parseCidr(text: string): Cidr {
  const [network, bits] = ipaddr.parseCIDR(text.trim());
  return { network, bits };
}

/** Parses a list separated by commas. Empty text is an empty list. @throws when an entry is not `address/bits` */
export function parseCidrs(text: string): Cidr[] {
  return text.trim() === '' ? [] : text.split(',').map(parseCidr);
}

/** Whether the address is in the range. An IPv4 range contains no IPv6 address, and the reverse. */
export function cidrContains({ network, bits }: Cidr, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}
