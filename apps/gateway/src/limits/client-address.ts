import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { GatewayConfig } from '../config';
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

/** Client addresses of requests, by the networks of TRUSTED_PROXIES. */
@Injectable()
export class ClientAddresses {
  private readonly logger = new Logger('edge');
  private readonly trusted: readonly Network[];
  private hasWarned = false;

  constructor({ TRUSTED_PROXIES }: GatewayConfig) {
    this.trusted = parseNetworks(TRUSTED_PROXIES);
  }

  /** Returns the client address of a request, also of one that could not be parsed. */
  of({
    headers,
    socket,
  }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } }): string {
    const forwarded = headers['x-forwarded-for'];
    if (forwarded !== undefined && this.trusted.length === 0) this.warn();
    const hops = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
    return clientAddress(socket.remoteAddress, hops, this.trusted);
  }

  private warn(): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn({
      msg: 'X-Forwarded-For is ignored because TRUSTED_PROXIES is empty: behind a load balancer, set it to its networks, or all clients share one limit',
    });
  }
}
