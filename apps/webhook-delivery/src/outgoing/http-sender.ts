import { Agent } from 'undici';
import { Exchange, type SendResult } from './exchange';
import { guardedConnector } from './guarded-connector';
import type { HostResolver } from './host-resolver';
import { SendError, toSendError } from './send-error';
import type { OpenedRanges } from './url-policy';

/** Shorter than what common servers keep an idle connection without saying so: none is closed under a request. */
const KEEP_ALIVE_MS = 4_000;
/** Origin and path of the URLs that were posted to last; endpoints are far fewer than deliveries. */
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
 * Posts to endpoints of customers: only to addresses that the policy allows, never along a redirect, within the
 * deadline, and reading no more of an answer than its first 4 KiB.
 */
export class HttpSender {
  readonly #agent: Agent;
  readonly #underWay = new Set<Exchange>();
  readonly #targets = new Map<string, Target>();

  constructor(
    private readonly resolver: HostResolver,
    opened: OpenedRanges,
    private readonly now: () => number,
  ) {
    this.#agent = new Agent({
      connect: guardedConnector(resolver, opened),
      // Endpoints of different customers share an origin, so no bound of it may hold one up for another: whoever posts
      // bounds what is under way, and with it the sockets.
      connections: null,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // The deadline over all is the exchange's own. A timer of undici's outlives its request by half a second, and what
      // is younger than it with it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Never rejects. */
  post({ url, headers, body }: OutgoingRequest): Promise<SendResult> {
    return new Promise((resolve) => {
      const exchange = new Exchange(this.now(), (result) => {
        this.#underWay.delete(exchange);
        resolve(result);
      });
      this.#underWay.add(exchange);
      try {
        const { origin, path } = this.#targetOf(url);
        this.#agent.dispatch({ origin, path, method: 'POST', headers, body }, exchange);
      } catch (error) {
        exchange.abort(toSendError(error));
      }
    });
  }

  /** Ends every request under way as `interrupted`. */
  interrupt(): void {
    for (const exchange of this.#underWay) exchange.abort(new SendError('interrupted'));
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
