import { Agent, type Dispatcher } from 'undici';
import { guardedConnector } from './guarded-connector';
import type { HostResolver } from './host-resolver';
import { SendError, type SendErrorCode, toSendError } from './send-error';
import type { OpenedRanges } from './url-policy';

/** Bounds the whole exchange: DNS, connect, TLS, headers, body (api-v1.md, Delivery 5). */
export const ATTEMPT_DEADLINE_MS = 10_000;

const RESPONSE_HEAD_BYTES = 4_096;
const KEEP_ALIVE_MS = 15_000;

/** A POST of a JSON body. */
export interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What came of a request: the answer, or why there was none. */
export type SendResult = { startedAtMs: number; durationMs: number } & (
  | { statusCode: number; retryAfter: string | undefined; responseHead: string; error: null }
  | { statusCode: null; error: SendErrorCode }
);

/**
 * Posts to endpoints of customers: only to addresses that the policy allows, never along a redirect, within the
 * deadline, and reading no more of an answer than its first 4 KiB.
 */
export class HttpSender {
  readonly #agent: Agent;
  readonly #underWay = new Set<AbortController>();

  /** @param connections most sockets to one origin */
  constructor(
    private readonly resolver: HostResolver,
    opened: OpenedRanges,
    connections: number,
    private readonly now: () => number,
  ) {
    this.#agent = new Agent({
      connect: guardedConnector(resolver, opened),
      connections,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // Idle timers: the deadline over all is the abort below.
      headersTimeout: ATTEMPT_DEADLINE_MS,
      bodyTimeout: ATTEMPT_DEADLINE_MS,
    });
  }

  /** Never rejects. */
  async post(request: OutgoingRequest): Promise<SendResult> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new SendError('timeout')), ATTEMPT_DEADLINE_MS);
    this.#underWay.add(abort);
    const startedAtMs = this.now();
    const start = performance.now();
    const taken = (): { startedAtMs: number; durationMs: number } => ({
      startedAtMs,
      durationMs: performance.now() - start,
    });
    try {
      const { statusCode, headers, body } = await this.#request(request, abort.signal);
      // The status is what counts: a body that drips, breaks off or never ends changes nothing.
      const responseHead = await readHead(body);
      const retryAfter = headers['retry-after'];
      return { ...taken(), statusCode, retryAfter: [retryAfter].flat()[0], responseHead, error: null };
    } catch (error) {
      return { ...taken(), statusCode: null, error: toSendError(error).code };
    } finally {
      clearTimeout(timer);
      this.#underWay.delete(abort);
    }
  }

  /** Ends every request under way as `interrupted`. */
  interrupt(): void {
    for (const abort of this.#underWay) abort.abort(new SendError('interrupted'));
  }

  async close(): Promise<void> {
    this.interrupt();
    this.resolver.cancel();
    await this.#agent.destroy();
  }

  #request({ url, headers, body }: OutgoingRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { origin, pathname, search } = new URL(url);
    return this.#agent.request({ origin, path: pathname + search, method: 'POST', headers, body, signal });
  }
}

/** The first bytes of an answer as text; what was read until then when it breaks off. */
async function readHead(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      // Leaving the loop destroys the body, and with it the socket.
      if (bytes >= RESPONSE_HEAD_BYTES) break;
    }
  } catch {
    // The deadline, or the other side, ended it.
  }
  const head = Buffer.concat(chunks).subarray(0, RESPONSE_HEAD_BYTES).toString('utf8');
  // Postgres text holds no NUL.
  return head.replaceAll('\0', '�');
}
