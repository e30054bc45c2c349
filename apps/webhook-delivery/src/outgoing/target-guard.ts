import { isIP } from 'node:net';
import type { HostResolver } from './host-resolver';
import { type OpenedRanges, hostOf, refusedTarget, refusedUrl } from './url-policy';

/** Checks at registration what the connector checks at connect. */
export class TargetGuard {
  constructor(
    private readonly resolver: Pick<HostResolver, 'addressesOf'>,
    private readonly opened: OpenedRanges,
  ) {}

  /**
   * Returns why a URL is refused, or null. A name that does not resolve is accepted, because its DNS may
   * follow later.
   */
  async refusedUrl(url: string): Promise<string | null> {
    const refused = refusedUrl(url, this.opened);
    if (refused !== null) return refused;
    const { protocol, hostname } = new URL(url);
    const host = hostOf(hostname);
    if (isIP(host) !== 0) return null;
    const addresses = await this.resolver.addressesOf(host).catch(() => []);
    return (
      addresses.map((address) => refusedTarget(protocol, address, this.opened)).find((it) => it !== null) ??
      null
    );
  }
}
