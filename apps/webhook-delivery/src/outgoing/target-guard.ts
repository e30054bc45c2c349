import { isIP } from 'node:net';
import { isWithin } from './address-policy';
import type { HostResolver } from './host-resolver';
import { type OpenedRanges, hostOf, refusedTarget, refusedUrl } from './url-policy';

/** Checks at registration what the connector checks at connect. */
export class TargetGuard {
  /** @param own the origin of this platform; null where it is not configured */
  constructor(
    private readonly resolver: Pick<HostResolver, 'addressesOf'>,
    private readonly opened: OpenedRanges,
    private readonly own: URL | null = null,
  ) {}

  /**
   * Returns why a URL is refused, or null. A public name that does not resolve is accepted with HTTPS, because
   * its DNS may follow later. An internal name, and any name with HTTP, must resolve to opened ranges now.
   */
  async refusedUrl(url: string): Promise<string | null> {
    const refused = refusedUrl(url, this.opened, this.own);
    if (refused !== null && refused !== 'private_name') return refused;
    const { protocol, hostname } = new URL(url);
    const host = hostOf(hostname);
    if (isIP(host) !== 0) return null;
    const addresses = await this.resolver.addressesOf(host).catch(() => []);
    if (refused !== null || protocol === 'http:') {
      const isOpened = addresses.length > 0 && addresses.every((it) => isWithin(it, this.opened.cidrs));
      return isOpened ? null : (refused ?? 'not_https');
    }
    return (
      addresses.map((address) => refusedTarget(protocol, address, this.opened)).find((it) => it !== null) ??
      null
    );
  }
}
