import type { Problem } from '@plimsoll/contracts';
import type { DecidedRequest } from '../response/api-request';
import { mayPrepareHead, writePreparedHead } from '../response/head';
import { sendProblem } from '../response/send';
import { clientHeaders, clientLines } from './client-headers';
import { hasPlainBody, serviceHeaders } from './forwarded-headers';
import type { ServiceCall, ServiceCallListener } from './service-call';
import { failed, isPassable, isUnreachable, timedOut, upstreamProblem } from './upstream-problem';

/** Receives the progress of a request at its service. */
export interface ExchangeListener {
  /**
   * The head of a response arrived, with any status.
   * @param isClosing the service closes the connection with it
   */
  onResponse(isClosing: boolean): void;
  /**
   * The request never reached the service.
   * @returns true when it was sent to another address under the same exchange
   */
  onUnreached(exchange: Exchange): boolean;
  /** Not called when the client disconnected. */
  onFailure(problem: Problem): void;
  /** The exchange has ended. Called once. */
  onEnd(): void;
}

/** One response of a service to the client: streamed, and paused while the client does not read. */
export class Exchange implements ServiceCallListener {
  private sent: ServiceCall | undefined;
  private isFinished = false;
  /** Bytes of the body. 0: none, or not stated by the service. */
  private length = 0;
  /** The complete body, when it arrived in one piece. */
  private whole: string | undefined;
  private timer: NodeJS.Timeout;
  /** Monotonic time of the latest part of the response, and 0 before its head. */
  private receivedAtMs = 0;
  private isPaused = false;

  /**
   * @param deadlineMs from the dispatch, including the wait for a connection, to the head of the response, and
   * of a pause in its body
   */
  constructor(
    private readonly call: DecidedRequest,
    private readonly deadlineMs: number,
    private readonly listener: ExchangeListener,
  ) {
    this.timer = setTimeout(() => this.expire(), deadlineMs);
    call.response.on('close', () => this.disconnect());
  }

  /** Sets the current request of this exchange. */
  sentAs(call: ServiceCall): void {
    this.sent = call;
  }

  onHead(status: number, rawHeaders: string[]): void {
    this.receivedAtMs = performance.now();
    const headers = serviceHeaders(rawHeaders);
    this.listener.onResponse(headers.isClosing);
    if (!hasPlainBody(rawHeaders)) {
      return this.fail(failed(new Error('the service sent a body with an unsupported transfer coding')));
    }
    if (!isPassable(status, headers.contentType)) {
      return this.fail(failed(new Error(`the service returned ${status} without a problem body`)));
    }
    const { response } = this.call;
    this.length = Number(headers.contentLength ?? 0);
    if (headers.hasDate && headers.contentLength !== undefined && mayPrepareHead(response, status)) {
      writePreparedHead(response, status, clientLines(this.call, status, rawHeaders, headers));
    } else response.writeHead(status, clientHeaders(this.call, status, rawHeaders, headers));
  }

  onBody(piece: Buffer): boolean {
    const { response } = this.call;
    if (piece.length === this.length) {
      // Its end follows immediately. As text it is sent with the head as one string, where a buffer would be a
      // separate piece.
      this.whole = piece.toString('latin1');
      return true;
    }
    this.receivedAtMs = performance.now();
    if (response.write(piece)) return true;
    this.isPaused = true;
    response.once('drain', () => this.resume());
    return false;
  }

  onEnd(): void {
    this.settle();
    const { response } = this.call;
    if (this.whole === undefined) response.end();
    else response.end(this.whole, 'latin1');
  }

  onFailure(error: Error): void {
    if (this.isFinished || (isUnreachable(error) && this.listener.onUnreached(this))) return;
    this.fail(upstreamProblem(error));
  }

  private resume(): void {
    this.isPaused = false;
    this.receivedAtMs = performance.now();
    this.sent?.resume();
  }

  /** One timer for head and body: it is not set again for each part of a response. */
  private expire(): void {
    if (this.receivedAtMs === 0) return this.fail(timedOut());
    const silentMs = this.isPaused ? 0 : performance.now() - this.receivedAtMs;
    if (silentMs >= this.deadlineMs) {
      return this.fail(timedOut(new Error('the body of a response stopped arriving')));
    }
    this.timer = setTimeout(() => this.expire(), this.deadlineMs - silentMs);
  }

  private fail(problem: Problem): void {
    if (this.isFinished) return;
    this.abort();
    this.listener.onFailure(problem);
    // A response that has begun can only be aborted, so that the client does not treat a part as complete.
    if (this.call.response.headersSent) this.call.response.destroy();
    else sendProblem(this.call, problem);
  }

  private disconnect(): void {
    if (!this.isFinished) this.abort();
  }

  private abort(): void {
    this.settle();
    this.sent?.abort();
  }

  private settle(): void {
    this.isFinished = true;
    clearTimeout(this.timer);
    this.listener.onEnd();
  }
}
