import { Resolver } from 'node:dns/promises';
import { SendError } from './send-error';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** Answers that say there are no such addresses, as against no answer. */
const NO_RECORDS = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Names to addresses by DNS itself, not by the system's resolver: that one runs on four threads, and four names whose
 * servers do not answer would hold up every other endpoint. /etc/hosts is not read; localhost is loopback (RFC 6761).
 */
export class HostResolver {
  readonly #resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

  /** @param servers DNS servers to ask instead of the system's */
  constructor(servers?: readonly string[]) {
    if (servers) this.#resolver.setServers(servers);
  }

  /** Every address of a name; rejects with SendError `dns_not_found` or `dns_failed`. */
  async addressesOf(hostname: string): Promise<string[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([this.#resolver.resolve4(name), this.#resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const isAnswered = answers.every(
      (answer) =>
        answer.status === 'rejected' && NO_RECORDS.has((answer.reason as { code?: string }).code ?? ''),
    );
    throw new SendError(isAnswered ? 'dns_not_found' : 'dns_failed');
  }

  /** Ends the look-ups under way. */
  cancel(): void {
    this.#resolver.cancel();
  }
}
