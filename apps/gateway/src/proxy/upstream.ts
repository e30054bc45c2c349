import { Logger } from '@nestjs/common';
import { Breaker } from '@plimsoll/service-kit';
import { ServicePool } from '../http1/service-pool';

const CONNECTIONS = 128;
/** Calls that an address may have at once, those that wait for a connection among them; then it has no room. */
const MAX_IN_FLIGHT = 1_152;
/** An address that could not be reached is left alone for so long, unless it is the only one. */
const EJECTED_MS = 1_000;
/** So is one that stops, for longer than it takes to (SHUTDOWN_LAME_DUCK_MS): who comes as it closes its port is cut off. */
const LEAVING_MS = 3_000;

/** One instance of a service. */
export interface UpstreamAddress {
  origin: string;
  pool: ServicePool;
  /** Calls that are at work there or wait for a connection. */
  inFlight: number;
  ejectedUntilMs: number;
  /** It has said that it closes its connections: it is about to stop. */
  leavingUntilMs: number;
  /** Not heard of since it could not be reached, or since it said that it stops. */
  isDoubtful: boolean;
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
      leavingUntilMs: 0,
      isDoubtful: false,
      // To the head of an answer the exchange has a deadline of its own, from the dispatch on.
      pool: new ServicePool(origin, CONNECTIONS, { connectDeadlineMs, bodySilenceMs: answerDeadlineMs }),
    }));
  }

  /**
   * The address for a call: the next in turn that can be reached and stays. Undefined: none has room, or the service is
   * broken.
   * @param isRepeatable it may find out whether a doubtful address is back, because it can go to another one else
   */
  pick(nowMs: number, isRepeatable: boolean): UpstreamAddress | undefined {
    const canBeReached = (each: UpstreamAddress): boolean => each.ejectedUntilMs <= nowMs;
    const address =
      this.nextOpen(
        (each) => canBeReached(each) && each.leavingUntilMs <= nowMs && (isRepeatable || !each.isDoubtful),
      ) ??
      this.firstToLeave(canBeReached) ??
      this.nextOpen(() => true);
    return address && this.breaker.admits(nowMs) ? address : undefined;
  }

  /** Where a call goes that could not reach `failed`. Undefined: there is no other address to try. */
  pickOther(failed: UpstreamAddress, nowMs: number): UpstreamAddress | undefined {
    return this.nextOpen((each) => each !== failed && each.ejectedUntilMs <= nowMs);
  }

  /** Called when an address could not be reached, or broke off. */
  eject(address: UpstreamAddress, nowMs: number): void {
    address.ejectedUntilMs = nowMs + EJECTED_MS;
    address.isDoubtful = true;
  }

  /**
   * Called when the service answered a call, whatever it said.
   * @param isLeaving with the answer it closes the connection
   */
  succeeded(address: UpstreamAddress, isLeaving: boolean, nowMs: number): void {
    address.isDoubtful = isLeaving;
    address.leavingUntilMs = isLeaving ? nowMs + LEAVING_MS : 0;
    if (this.breaker.isOpen) this.logger.log({ msg: 'a service answers again', service: this.name });
    this.breaker.succeeded();
  }

  /**
   * Called when the service did not answer a call: not reached, broken off, or too late. While another of its instances
   * can be reached it is not broken for what one of them broke off.
   */
  failed(address: UpstreamAddress, nowMs: number, isLate: boolean): void {
    if (!isLate) {
      this.eject(address, nowMs);
      if (this.addresses.some((each) => each.ejectedUntilMs <= nowMs)) return;
    }
    const wasOpen = this.breaker.isOpen;
    this.breaker.failed(nowMs);
    if (this.breaker.isOpen && !wasOpen) {
      this.logger.error({ msg: 'a service is broken, its calls are refused', service: this.name });
    }
  }

  close(): void {
    for (const { pool } of this.addresses) pool.close();
  }

  /** Of several that stop the one that began first is the first to be back. */
  private firstToLeave(fits: (address: UpstreamAddress) => boolean): UpstreamAddress | undefined {
    const open = this.addresses.filter((each) => fits(each) && each.inFlight < MAX_IN_FLIGHT);
    return open.sort((a, b) => a.leavingUntilMs - b.leavingUntilMs)[0];
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
