import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '@plimsoll/contracts';
import type { Dispatcher } from 'undici';
import { answerHeaders } from '../edge/answer-headers';
import type { DecidedCall } from '../edge/call';
import { sendProblem } from '../edge/send';
import { responseHeaders } from './forwarded-headers';
import { isPassable } from './passable';
import { failed, timedOut, upstreamProblem } from './upstream-problem';

/** One answer of a service on its way to the client: streamed, paused while the client does not read. */
export class Exchange implements Dispatcher.DispatchHandler {
  private controller?: Dispatcher.DispatchController;
  private isOver = false;
  private readonly deadline: NodeJS.Timeout;

  /**
   * @param deadlineMs from the dispatch, waiting for a connection included, to the head of the answer
   * @param onFailure told of what went wrong, unless it was the client that left
   */
  constructor(
    private readonly call: DecidedCall,
    deadlineMs: number,
    private readonly onFailure: (problem: Problem) => void,
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
    if (!isPassable(status, headers['content-type'])) {
      this.fail(failed(new Error(`the service answered ${status} without a problem body`)));
      return;
    }
    const raw = (controller.rawHeaders as (Buffer | string)[]).map((each) => each.toString('latin1'));
    this.call.response.writeHead(status, [
      ...answerHeaders(this.call.decision, this.call.correlation.requestId),
      ...responseHeaders(raw),
    ]);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.call.response.write(chunk)) return;
    controller.pause();
    this.call.response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.isOver = true;
    this.call.response.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(upstreamProblem(error));
  }

  private fail(problem: Problem): void {
    if (this.isOver) return;
    this.end(problem);
    this.onFailure(problem);
    // An answer that has begun can only be broken off, so that the client does not take a part for the whole.
    if (this.call.response.headersSent) this.call.response.destroy();
    else sendProblem(this.call, problem);
  }

  private leave(): void {
    if (!this.isOver) this.end(new Error('The client left.'));
  }

  private end(reason: Error): void {
    this.isOver = true;
    clearTimeout(this.deadline);
    this.controller?.abort(reason);
  }
}
