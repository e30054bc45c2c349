import type { Problem } from '@plimsoll/contracts';
import type { ServiceRequest } from '../http1/service-call';
import type { Exchange, ExchangeListener } from './exchange';
import type { Upstream, UpstreamAddress } from './upstream';

/**
 * The attempts of one call at a service: one, and for a GET or HEAD that could not reach its address a second one at
 * another. What is learnt of service and address on the way is kept there for the calls after it.
 */
export class Attempts implements ExchangeListener {
  private isRepeatable: boolean;

  /** @param onFault told of a failure that is not the client's, and at which origin it happened */
  constructor(
    private readonly upstream: Upstream,
    private address: UpstreamAddress,
    private readonly request: ServiceRequest,
    private readonly onFault: (problem: Problem, origin: string) => void,
  ) {
    this.isRepeatable = (request.method === 'GET' || request.method === 'HEAD') && !request.body;
  }

  start(exchange: Exchange): void {
    this.address.inFlight += 1;
    exchange.sentAs(this.address.pool.dispatch(this.request, exchange));
  }

  onAnswer(): void {
    this.upstream.succeeded();
  }

  onUnreached(exchange: Exchange): boolean {
    const nowMs = performance.now();
    this.upstream.eject(this.address, nowMs);
    const other = this.isRepeatable ? this.upstream.pickOther(this.address, nowMs) : undefined;
    if (!other) return false;
    this.isRepeatable = false;
    this.onEnd();
    this.address = other;
    this.start(exchange);
    return true;
  }

  onFailure(problem: Problem): void {
    if (problem.status < 500) return;
    this.upstream.failed(performance.now());
    this.onFault(problem, this.address.origin);
  }

  onEnd(): void {
    this.address.inFlight -= 1;
  }
}
