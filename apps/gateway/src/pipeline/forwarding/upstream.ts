import { Logger } from '@nestjs/common';
import type { Service } from '@plimsoll/access';
import { Breaker } from '@plimsoll/service-kit';
import { Counter } from 'prom-client';
import { ServicePool, type ServicePoolOptions } from './service-pool';
import { type TlsFault, tlsAdvice } from './tls-fault';

/** A service behind the gateway. */
export type UpstreamName = Exclude<Service, 'gateway'>;

const CONNECTIONS = 128;
/** Most simultaneous requests of an address, including those that wait for a connection. */
const MAX_IN_FLIGHT = 1_152;
/** An unreachable address is not used for this long, unless it is the only one. */
const EJECTED_MS = 1_000;
/**
 * A stopping address is not used for longer than its stop takes (SHUTDOWN_LAME_DUCK_MS), because a request
 * during the close of its port would be cut off.
 */
const LEAVING_MS = 3_000;

/** A fault of TLS is logged once in this time for each address. */
const FAULT_LOG_MS = 60_000;

const tlsFaults = new Counter({
  name: 'gateway_upstream_tls_faults_total',
  help: 'Requests that failed because TLS with a service is not configured correctly on one side',
  labelNames: ['service', 'fault'],
});

/** One instance of a service. */
export interface UpstreamAddress {
  origin: string;
  pool: ServicePool;
  /** Requests in progress there or waiting for a connection. */
  inFlight: number;
  ejectedUntilMs: number;
  /** Set when it announced that it closes its connections, because it is about to stop. */
  leavingUntilMs: number;
  /** No news since it was unreachable or announced its stop. */
  isDoubtful: boolean;
  /** A fault of TLS is not logged before. */
  faultLogAtMs: number;
}

/** A service: the addresses of its instances, used in turn, behind one breaker. All times are monotonic. */
export class Upstream {
  readonly addresses: readonly UpstreamAddress[];
  private readonly logger = new Logger('proxy');
  private readonly breaker = new Breaker();
  private latest = 0;

  /** @param origins separated by commas; empty for a service that this platform does not have */
  constructor(
    readonly name: UpstreamName,
    origins: string,
    options: Omit<ServicePoolOptions, 'connections'>,
  ) {
    this.addresses = origins
      .split(',')
      .filter(Boolean)
      .map((origin) => ({
        origin,
        inFlight: 0,
        ejectedUntilMs: 0,
        leavingUntilMs: 0,
        isDoubtful: false,
        faultLogAtMs: 0,
        pool: new ServicePool(origin, { ...options, connections: CONNECTIONS }),
      }));
  }

  /**
   * Returns the address for a request: the next in turn that is reachable and stays. Undefined when none has
   * capacity or the service is broken.
   * @param isRepeatable it may test a doubtful address, because it can use another one afterwards
   */
  pick(nowMs: number, isRepeatable: boolean): UpstreamAddress | undefined {
    const canBeReached = (each: UpstreamAddress): boolean => each.ejectedUntilMs <= nowMs;
    const address =
      this.nextOpen(
        (each) => canBeReached(each) && each.leavingUntilMs <= nowMs && (isRepeatable || !each.isDoubtful),
      ) ??
      this.oldestIdle(canBeReached) ??
      this.nextOpen(() => true);
    return address && this.breaker.admits(nowMs) ? address : undefined;
  }

  /**
   * Returns the address for a request that could not reach `failed`: one that was unreachable too when no other is left,
   * because it may be back, as in a rolling restart. Undefined when there is no other.
   */
  pickOther(failed: UpstreamAddress, nowMs: number): UpstreamAddress | undefined {
    return (
      this.nextOpen((each) => each !== failed && each.ejectedUntilMs <= nowMs) ??
      this.nextOpen((each) => each !== failed)
    );
  }

  /** Records that an address was unreachable or broke off. */
  eject(address: UpstreamAddress, nowMs: number): void {
    address.ejectedUntilMs = nowMs + EJECTED_MS;
    address.isDoubtful = true;
  }

  /**
   * Records that the service responded, with any status.
   * @param isLeaving it closes the connection with the response
   */
  succeeded(address: UpstreamAddress, isLeaving: boolean, nowMs: number): void {
    address.isDoubtful = isLeaving;
    address.leavingUntilMs = isLeaving ? nowMs + LEAVING_MS : 0;
    if (this.breaker.isOpen) this.logger.log({ msg: 'a service responds again', service: this.name });
    this.breaker.succeeded();
  }

  /**
   * Records that the service did not respond: unreachable, broken off, or too late. While another instance is
   * reachable, one broken connection does not count against the service.
   */
  failed(address: UpstreamAddress, nowMs: number, isLate: boolean): void {
    if (!isLate) {
      this.eject(address, nowMs);
      if (this.addresses.some((each) => each.ejectedUntilMs <= nowMs)) return;
    }
    const wasOpen = this.breaker.isOpen;
    this.breaker.failed(nowMs);
    if (this.breaker.isOpen && !wasOpen) {
      this.logger.error({
        msg: 'the breaker of a service is open: its requests are refused',
        service: this.name,
      });
    }
  }

  /**
   * Records that TLS with an address failed because of the configuration of one side. The breaker does not
   * count it: the service is not down, no pause corrects it, and connections that it accepted before still
   * work. Other instances are used meanwhile.
   */
  misconfigured(address: UpstreamAddress, nowMs: number, fault: TlsFault, cause: unknown): void {
    const { name: service } = this;
    const { origin } = address;
    tlsFaults.inc({ service, fault });
    this.eject(address, nowMs);
    if (nowMs < address.faultLogAtMs) return;
    address.faultLogAtMs = nowMs + FAULT_LOG_MS;
    this.logger.error({ msg: tlsAdvice(fault, service), service, origin, err: cause });
  }

  close(): void {
    for (const { pool } of this.addresses) pool.close();
  }

  /** Of several stopping addresses, the one that began first returns first. */
  private oldestIdle(fits: (address: UpstreamAddress) => boolean): UpstreamAddress | undefined {
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
