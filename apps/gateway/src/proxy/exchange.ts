import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '@plimsoll/contracts';
import type { Dispatcher } from 'undici';
import { answerHeaders } from '../edge/answer-headers';
import type { DecidedCall } from '../edge/call';
import { sendProblem } from '../edge/send';
import { responseHeaders } from './forwarded-headers';
import { isPassable } from './passable';
import { RETRY_AFTER_SECONDS, failed, isUnreachable, timedOut, upstreamProblem } from './upstream-problem';

/** Told how a call fares at its service. */
export interface ExchangeListener {
  /** The head of an answer came, whatever it says. */
  onAnswer(): void;
  /** The call never reached the service. @returns true when it was sent to another address under the same exchange */
  onUnreached(exchange: Exchange): boolean;
  /** Not called when the client left. */
  onFailure(problem: Problem): void;
  /** The exchange is over, one way or the other; called once. */
  onEnd(): void;
}

/** One answer of a service on its way to the client: streamed, paused while the client does not read. */
export class Exchange implements Dispatcher.DispatchHandler {
  private controller?: Dispatcher.DispatchController;
  private isOver = false;
  private readonly deadline: NodeJS.Timeout;

  /** @param deadlineMs from the dispatch, waiting for a connection included, to the head of the answer */
  constructor(
    private readonly call: DecidedCall,
    deadlineMs: number,
    private readonly listener: ExchangeListener,
  ) {
    this.deadline = setTimeout(() => this.fail(timedOut()), deadlineMs);
    call.response.once('close', () => this.leave());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) controller.abort(new Error('The call is over.'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    clearTimeout(this.deadline);
    this.listener.onAnswer();
    if (!isPassable(status, headers['content-type'])) {
      this.fail(failed(new Error(`the service answered ${status} without a problem body`)));
      return;
    }
    const raw = (controller.rawHeaders as (Buffer | string)[]).map((each) => each.toString('latin1'));
    this.call.response.writeHead(status, [
      ...answerHeaders(this.call.decision, this.call.correlation.requestId),
      ...responseHeaders(raw),
      ...missingHeaders(status, headers),
    ]);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.call.response.write(chunk)) return;
    controller.pause();
    this.call.response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.settle();
    this.call.response.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.isOver || (isUnreachable(error) && this.listener.onUnreached(this))) return;
    this.fail(upstreamProblem(error));
  }

  private fail(problem: Problem): void {
    if (this.isOver) return;
    this.abort(problem);
    this.listener.onFailure(problem);
    // An answer that has begun can only be broken off, so that the client does not take a part for the whole.
    if (this.call.response.headersSent) this.call.response.destroy();
    else sendProblem(this.call, problem);
  }

  private leave(): void {
    if (!this.isOver) this.abort(new Error('The client left.'));
  }

  private abort(reason: Error): void {
    this.settle();
    this.controller?.abort(reason);
  }

  private settle(): void {
    this.isOver = true;
    clearTimeout(this.deadline);
    this.listener.onEnd();
  }
}

/** What a service need not say itself: whether its answer may be kept, and when to come again. */
function missingHeaders(status: number, headers: IncomingHttpHeaders): string[] {
  const missing: string[] = [];
  if (headers['cache-control'] === undefined) {
    missing.push('Cache-Control', headers.etag === undefined ? 'no-store' : 'private, no-cache');
  }
  if (status === 503 && headers['retry-after'] === undefined) {
    missing.push('Retry-After', String(RETRY_AFTER_SECONDS));
  }
  return missing;
}
