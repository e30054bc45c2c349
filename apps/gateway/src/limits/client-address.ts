import type { IncomingHttpHeaders } from 'node:http';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Subject } from './verdict';
import { windowOffsetMs } from './window';

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Parses TRUSTED_PROXIES. @throws when an entry is no CIDR */
export function parseNetworks(text: string): Network[] {
  return text === '' ? [] : text.split(',').map((cidr) => ipaddr.parseCIDR(cidr));
}

const contains = (networks: readonly Network[], address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  networks.some((network) => network[0].kind() === address.kind() && address.match(network));

/**
 * The address of the client: the connection's, or, when that is a trusted proxy, the last of X-Forwarded-For that is
 * not one. What an untrusted client writes there is never believed.
 */
export function clientAddress(
  remote: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly Network[],
): string {
  // Said by the kernel, not by the client, and an address needs no parsing to be itself.
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

/** Who a call without a valid key counts against. IPv6 is taken by /64, which is what one client has. */
export function addressSubject(address: string): Subject {
  const parsed = ipaddr.parse(address);
  const id = `address:${parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join('.')}/64` : address}`;
  return { id, offsetMs: windowOffsetMs(id) };
}

/** clientAddress of a request. */
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
