import type { Problem } from '@plimsoll/contracts';
import type { Exchange, ExchangeListener } from './exchange';
import { type ServiceRequest, isLast } from './service-call';
import type { Upstream, UpstreamAddress } from './upstream';
import { tlsFault } from './tls-fault';

/** Returns true for a request that may be sent twice. */
export function isRepeatable(method: string | undefined, body: unknown): boolean {
  return (method === 'GET' || method === 'HEAD') && !body;
}

/**
 * The attempts of one request at a service: one, and for a GET or HEAD that could not reach its address a
 * second one at another. Facts about service and address are recorded for later requests.
 */
export class Attempts implements ExchangeListener {
  private request: ServiceRequest;
  private isRepeatable: boolean;

  /**
   * @param sign creates the request with a new proof: a service accepts each nonce once
   * @param onFault receives a failure that the client did not cause, and its origin
   */
  constructor(
    private readonly upstream: Upstream,
    private address: UpstreamAddress,
    private readonly sign: () => ServiceRequest,
    private readonly onFault: (problem: Problem, origin: string) => void,
  ) {
    this.request = sign();
    this.isRepeatable = isRepeatable(this.request.method, this.request.body);
  }

  start(exchange: Exchange): void {
    this.address.inFlight += 1;
    exchange.sentAs(this.address.pool.dispatch(this.request, exchange));
  }

  onResponse(isClosing: boolean): void {
    // If the request closes the connection, the response does not show whether the service is about to stop.
    const isLeaving = isClosing && !isLast(this.request);
    this.upstream.succeeded(this.address, isLeaving, isLeaving ? performance.now() : 0);
  }

  onUnreached(exchange: Exchange): boolean {
    const nowMs = performance.now();
    this.upstream.eject(this.address, nowMs);
    const other = this.isRepeatable ? this.upstream.pickOther(this.address, nowMs) : undefined;
    if (!other) return false;
    this.isRepeatable = false;
    this.onEnd();
    this.address = other;
    this.request = this.sign();
    this.start(exchange);
    return true;
  }

  onFailure(problem: Problem): void {
    if (problem.status < 500) return;
    const { cause } = problem.options;
    const nowMs = performance.now();
    const fault = tlsFault(cause, this.address.origin);
    if (fault) return this.upstream.misconfigured(this.address, nowMs, fault, cause);
    this.upstream.failed(this.address, nowMs, problem.status === 504);
    this.onFault(problem, this.address.origin);
  }

  onEnd(): void {
    this.address.inFlight -= 1;
  }
}
