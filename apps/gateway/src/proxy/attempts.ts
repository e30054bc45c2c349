import type { Problem } from '@plimsoll/contracts';
import { type ServiceRequest, isLast } from '../http1/service-call';
import type { Exchange, ExchangeListener } from './exchange';
import type { Upstream, UpstreamAddress } from './upstream';

/** True for a call that may be sent twice. */
export function isRepeatable(method: string | undefined, body: unknown): boolean {
  return (method === 'GET' || method === 'HEAD') && !body;
}

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
    this.isRepeatable = isRepeatable(request.method, request.body);
  }

  start(exchange: Exchange): void {
    this.address.inFlight += 1;
    exchange.sentAs(this.address.pool.dispatch(this.request, exchange));
  }

  onAnswer(isClosing: boolean): void {
    // Where the call asks for the end of the connection, the answer's says nothing of the service.
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
    this.start(exchange);
    return true;
  }

  onFailure(problem: Problem): void {
    if (problem.status < 500) return;
    this.upstream.failed(this.address, performance.now(), problem.status === 504);
    this.onFault(problem, this.address.origin);
  }

  onEnd(): void {
    this.address.inFlight -= 1;
  }
}
