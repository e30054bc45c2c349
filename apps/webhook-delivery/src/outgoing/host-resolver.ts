import { Resolver } from 'node:dns/promises';
import { SendError } from './send-error';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** DNS responses that mean there are no such addresses, in contrast to no response. */
const NO_RECORDS = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Resolves names by DNS itself, not by the system's resolver. That one has four threads, so four names with
 * unresponsive servers would delay every other endpoint. It does not read /etc/hosts. localhost is loopback
 * (RFC 6761).
 */
export class HostResolver {
  readonly #resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

  /** @param servers DNS servers instead of the system's */
  constructor(servers?: readonly string[]) {
    if (servers) this.#resolver.setServers(servers);
  }

  /** Returns every address of a name. Rejects with SendError `dns_not_found` or `dns_failed`. */
  async addressesOf(hostname: string): Promise<string[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const responses = await Promise.allSettled([
      this.#resolver.resolve4(name),
      this.#resolver.resolve6(name),
    ]);
    const addresses = responses.flatMap((response) =>
      response.status === 'fulfilled' ? response.value : [],
    );
    if (addresses.length > 0) return addresses;
    const isAnswered = responses.every(
      (response) =>
        response.status === 'rejected' && NO_RECORDS.has((response.reason as { code?: string }).code ?? ''),
    );
    throw new SendError(isAnswered ? 'dns_not_found' : 'dns_failed');
  }

  /** Ends the lookups in progress. */
  cancel(): void {
    this.#resolver.cancel();
  }
}
