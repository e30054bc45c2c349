import { Agent } from 'undici';
import { Exchange, type SendResult } from './exchange';
import { guardedConnector } from './guarded-connector';
import type { HostResolver } from './host-resolver';
import { SendError, toSendError } from './send-error';
import type { OpenedRanges } from './url-policy';

/**
 * Shorter than the unannounced keep-alive time of common servers, so that no connection closes during a
 * request.
 */
const KEEP_ALIVE_MS = 4_000;
/** Cache of origin and path of recently used URLs. There are far fewer endpoints than deliveries. */
const KNOWN_URLS = 10_000;

/** A POST of a JSON body. */
export interface OutgoingRequest {
  url: string;
  /** Name, value, name, value, … */
  headers: string[];
  body: Buffer | string;
}

interface Target {
  origin: string;
  path: string;
}

/**
 * Sends requests to endpoints of customers: only to allowed addresses, without redirects, within the
 * deadline, and reading at most 4 KiB of a response.
 */
export class HttpSender {
  readonly #agent: Agent;
  readonly #inFlight = new Set<Exchange>();
  readonly #targets = new Map<string, Target>();

  constructor(
    private readonly resolver: HostResolver,
    opened: OpenedRanges,
    private readonly now: () => number,
  ) {
    this.#agent = new Agent({
      connect: guardedConnector(resolver, opened),
      // Endpoints of different customers share an origin, so a bound per origin could make one wait for
      // another. The caller bounds the requests in flight and with them the sockets.
      connections: null,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // The exchange has its own deadline for everything. A timer of undici would outlive its request by half
      // a second, together with younger objects.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Never rejects.
   * @param nowMs milliseconds since 1970
   */
  post({ url, headers, body }: OutgoingRequest, nowMs = this.now()): Promise<SendResult> {
    return new Promise((resolve) => {
      const exchange = new Exchange(nowMs, (result) => {
        this.#inFlight.delete(exchange);
        resolve(result);
      });
      this.#inFlight.add(exchange);
      try {
        const { origin, path } = this.#targetOf(url);
        this.#agent.dispatch({ origin, path, method: 'POST', headers, body }, exchange);
      } catch (error) {
        exchange.abort(toSendError(error));
      }
    });
  }

  /** Ends every request in flight as `interrupted`. */
  interrupt(): void {
    for (const exchange of this.#inFlight) exchange.abort(new SendError('interrupted'));
  }

  async close(): Promise<void> {
    this.interrupt();
    this.resolver.cancel();
    await this.#agent.destroy();
  }

  #targetOf(url: string): Target {
    const known = this.#targets.get(url);
    if (known) return known;
    const { origin, pathname, search } = new URL(url);
    const target = { origin, path: pathname + search };
    if (this.#targets.size >= KNOWN_URLS) this.#targets.clear();
    this.#targets.set(url, target);
    return target;
  }
}
