import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { headerLines } from './response-headers';
import { SendError, type SendErrorCode, toSendError } from './send-error';

/** Bounds the complete exchange: DNS, connect, TLS, headers, body. */
export const ATTEMPT_DEADLINE_MS = 10_000;

const RESPONSE_HEAD_BYTES = 4_096;

/** Result of a request: the response, or the reason why there was none. */
export type SendResult = { startedAtMs: number; durationMs: number } & (
  | {
      statusCode: number;
      retryAfter: string | undefined;
      /** Lines of the log. */
      responseHeaders: string;
      responseHead: string;
      error: null;
    }
  | { statusCode: null; error: SendErrorCode }
);

/**
 * One request and its response, as undici reports it. It settles once: with the first 4 KiB of the response,
 * at the deadline, or when it breaks off. After the status, later failures of the body change nothing.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  readonly #start = performance.now();
  readonly #deadline: NodeJS.Timeout;
  #bytes = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #response: { statusCode: number; headers: IncomingHttpHeaders } | undefined;
  #isSettled = false;

  /**
   * @param startedAtMs milliseconds since 1970
   * @param settle called once
   */
  constructor(
    private readonly startedAtMs: number,
    private readonly settle: (result: SendResult) => void,
  ) {
    this.#deadline = setTimeout(() => this.abort(new SendError('timeout')), ATTEMPT_DEADLINE_MS);
  }

  /** Ends the exchange in any state. Before there is a connection, the request is never sent. */
  abort(reason: SendError): void {
    if (this.#isSettled) return;
    this.#finish(reason);
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isSettled) controller.abort(new SendError('timeout'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    // An informational response precedes the final one.
    if (statusCode < 200) return;
    this.#response = { statusCode, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < RESPONSE_HEAD_BYTES) return;
    this.#finish();
    controller.abort(new SendError('failed'));
  }

  onResponseEnd(): void {
    this.#finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(error);
  }

  #finish(error?: Error): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#deadline);
    const { startedAtMs } = this;
    const durationMs = performance.now() - this.#start;
    if (this.#response) {
      const { statusCode, headers } = this.#response;
      const stated = headers['retry-after'];
      this.settle({
        startedAtMs,
        durationMs,
        statusCode,
        retryAfter: Array.isArray(stated) ? stated[0] : stated,
        responseHeaders: headerLines(headers),
        responseHead: headText(this.#chunks),
        error: null,
      });
    } else {
      const code = error === undefined ? 'connection_reset' : toSendError(error).code;
      this.settle({ startedAtMs, durationMs, statusCode: null, error: code });
    }
  }
}

/** Returns the first bytes of a response as text. */
function headText(chunks: readonly Buffer[]): string {
  const first = chunks[0];
  if (first === undefined) return '';
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks);
  const head = bytes.toString('utf8', 0, Math.min(bytes.length, RESPONSE_HEAD_BYTES));
  // Postgres text cannot contain NUL.
  return head.replaceAll('\0', '\uFFFD');
}
