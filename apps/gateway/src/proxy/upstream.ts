import { Logger } from '@nestjs/common';
import { Breaker } from '@plimsoll/service-kit';
import { ServicePool } from '../http1/service-pool';

const CONNECTIONS = 128;
/** Calls that an address may have at once, those that wait for a connection among them; then it has no room. */
const MAX_IN_FLIGHT = 1_152;
/** An address that could not be reached is left alone for so long, unless it is the only one. */
const EJECTED_MS = 1_000;

/** One instance of a service. */
export interface UpstreamAddress {
  origin: string;
  pool: ServicePool;
  /** Calls that are at work there or wait for a connection. */
  inFlight: number;
  ejectedUntilMs: number;
}

/** A service: the addresses of its instances, called in turn, behind one breaker. All times are monotonic. */
export class Upstream {
  readonly addresses: readonly UpstreamAddress[];
  private readonly logger = new Logger('proxy');
  private readonly breaker = new Breaker();
  private latest = 0;

  /** @param origins comma-separated */
  constructor(
    readonly name: string,
    origins: string,
    connectDeadlineMs: number,
    answerDeadlineMs: number,
  ) {
    this.addresses = origins.split(',').map((origin) => ({
      origin,
      inFlight: 0,
      ejectedUntilMs: 0,
      // To the head of an answer the exchange has a deadline of its own, from the dispatch on.
      pool: new ServicePool(origin, CONNECTIONS, { connectDeadlineMs, bodySilenceMs: answerDeadlineMs }),
    }));
  }

  /** The address for a call: the next in turn that can be reached. Undefined: none has room, or the service is broken. */
  pick(nowMs: number): UpstreamAddress | undefined {
    const address = this.nextOpen((each) => each.ejectedUntilMs <= nowMs) ?? this.nextOpen(() => true);
    return address && this.breaker.admits(nowMs) ? address : undefined;
  }

  /** Where a call goes that could not reach `failed`. Undefined: there is no other address to try. */
  pickOther(failed: UpstreamAddress, nowMs: number): UpstreamAddress | undefined {
    return this.nextOpen((each) => each !== failed && each.ejectedUntilMs <= nowMs);
  }

  /** Called when an address could not be reached. */
  eject(address: UpstreamAddress, nowMs: number): void {
    address.ejectedUntilMs = nowMs + EJECTED_MS;
  }

  /** Called when the service answered a call, whatever it said. */
  succeeded(): void {
    if (this.breaker.isOpen) this.logger.log({ msg: 'a service answers again', service: this.name });
    this.breaker.succeeded();
  }

  /** Called when the service did not answer a call: not reached, broken off, or too late. */
  failed(nowMs: number): void {
    const wasOpen = this.breaker.isOpen;
    this.breaker.failed(nowMs);
    if (this.breaker.isOpen && !wasOpen) {
      this.logger.error({ msg: 'a service is broken, its calls are refused', service: this.name });
    }
  }

  close(): void {
    for (const { pool } of this.addresses) pool.close();
  }

  private nextOpen(fits: (address: UpstreamAddress) => boolean): UpstreamAddress | undefined {
    const count = this.addresses.length;
    for (let i = 1; i <= count; i += 1) {
      const at = (this.latest + i) % count;
      const address = this.addresses[at];
      if (!address || !fits(address) || address.inFlight >= MAX_IN_FLIGHT) continue;
      this.latest = at;
      return address;
    }
    return undefined;
  }
}
