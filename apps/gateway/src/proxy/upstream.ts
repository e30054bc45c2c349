import { Pool } from 'undici';

const CONNECTIONS = 128;
/** Calls that may wait for one of them; above it the service counts as unavailable. */
const MAX_QUEUED = 1_024;
/** An address that could not be reached is left alone for so long, unless it is the only one. */
const EJECTED_MS = 1_000;

/** One instance of a service. */
export interface UpstreamAddress {
  origin: string;
  pool: Pool;
  ejectedUntilMs: number;
}

/** A service: the addresses of its instances, called in turn. */
export class Upstream {
  readonly addresses: readonly UpstreamAddress[];
  private next = 0;

  /** @param origins comma-separated */
  constructor(origins: string, connectDeadlineMs: number, answerDeadlineMs: number) {
    this.addresses = origins.split(',').map((origin) => ({
      origin,
      ejectedUntilMs: 0,
      pool: new Pool(origin, {
        connections: CONNECTIONS,
        pipelining: 1,
        connect: { timeout: connectDeadlineMs },
        headersTimeout: answerDeadlineMs,
        bodyTimeout: answerDeadlineMs,
      }),
    }));
  }

  /** The next address in turn that can be reached and has room; undefined: none has. */
  pick(nowMs: number): UpstreamAddress | undefined {
    const inTurn = [...this.addresses.slice(this.next), ...this.addresses.slice(0, this.next)];
    this.next = (this.next + 1) % this.addresses.length;
    const open = inTurn.filter(({ pool }) => pool.stats.queued < MAX_QUEUED);
    return open.find((address) => address.ejectedUntilMs <= nowMs) ?? open[0];
  }

  /** Called when an address could not be reached. */
  eject(address: UpstreamAddress, nowMs: number): void {
    address.ejectedUntilMs = nowMs + EJECTED_MS;
  }

  async close(): Promise<void> {
    await Promise.all(this.addresses.map(({ pool }) => pool.destroy()));
  }
}
