import type { IncomingHttpHeaders } from 'node:http';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Subject, windowOffsetMs } from './verdict';

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/**
 * Parses TRUSTED_PROXIES.
 * @throws when an entry is not a CIDR
 */
export function parseNetworks(text: string): Network[] {
  return text === '' ? [] : text.split(',').map((cidr) => ipaddr.parseCIDR(cidr));
}

const contains = (networks: readonly Network[], address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  networks.some((network) => network[0].kind() === address.kind() && address.match(network));

/**
 * Returns the address of the client: the connection's, or, for a trusted proxy, the last address of
 * X-Forwarded-For that is not one. The header of an untrusted client is ignored.
 */
export function clientAddress(
  remote: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly Network[],
): string {
  // The address comes from the kernel, not from the client, and needs no parsing.
  if (trusted.length === 0 && remote !== undefined && isIPv4(remote)) return remote;
  let address = ipaddr.process(remote && ipaddr.isValid(remote) ? remote : '0.0.0.0');
  const hops = trusted.length > 0 && forwardedFor ? forwardedFor.split(',') : [];
  while (contains(trusted, address)) {
    const hop = hops.pop()?.trim();
    if (hop === undefined || !ipaddr.isValid(hop)) break;
    address = ipaddr.process(hop);
  }
  return address.toString();
}

/** Returns the subject of a request without a valid key. IPv6 counts by /64, which one client usually has. */
export function addressSubject(address: string): Subject {
  const parsed = ipaddr.parse(address);
  const id = `address:${parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join('.')}/64` : address}`;
  return { id, offsetMs: windowOffsetMs(id) };
}

/** Returns clientAddress of a request. */
export function addressOf(
  request: { headers: IncomingHttpHeaders; socket: { remoteAddress?: string | undefined } },
  trusted: readonly Network[],
): string {
  const forwarded = request.headers['x-forwarded-for'];
  return clientAddress(
    request.socket.remoteAddress,
    Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
    trusted,
  );
}
