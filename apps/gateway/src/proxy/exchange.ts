import type { Problem } from '@plimsoll/contracts';
import type { Dispatcher } from 'undici';
import { answerLines } from '../edge/answer-headers';
import type { DecidedCall } from '../edge/call';
import { mayPrepareHead, writePreparedHead } from '../edge/prepared-head';
import { sendProblem } from '../edge/send';
import { clientHeaders, completedHeaders } from './client-headers';
import { serviceHeaders } from './forwarded-headers';
import { fieldsOf } from './raw-fields';
import { isPassable } from './passable';
import { failed, isUnreachable, timedOut, upstreamProblem } from './upstream-problem';

/** Told how a call fares at its service. */
export interface ExchangeListener {
  /** The head of an answer came, whatever it says. @param isLast the service closes the connection with it */
  onAnswer(isLast: boolean): void;
  /** The call never reached the service. @returns true when it was sent to another address under the same exchange */
  onUnreached(exchange: Exchange): boolean;
  /** Not called when the client left. */
  onFailure(problem: Problem): void;
  /** The exchange is over, one way or the other; called once. */
  onEnd(): void;
}

/**
 * One answer of a service on its way to the client: streamed, paused while the client does not read. It takes the raw
 * form of undici's handler, which parses no headers and makes no controller for each call.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private abortDispatch?: (reason: Error) => void;
  private resume?: () => void;
  private isOver = false;
  /** Content-Length of the answer; undefined: the service does not say. */
  private length: string | undefined;
  private readonly deadline: NodeJS.Timeout;

  /** @param deadlineMs from the dispatch, waiting for a connection included, to the head of the answer */
  constructor(
    private readonly call: DecidedCall,
    deadlineMs: number,
    private readonly listener: ExchangeListener,
  ) {
    this.deadline = setTimeout(() => this.fail(timedOut()), deadlineMs);
    call.response.on('close', () => this.leave());
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.abortDispatch = abort;
    if (this.isOver) abort(new Error('The call is over.'));
  }

  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void): boolean {
    if (status < 200) return true;
    clearTimeout(this.deadline);
    const headers = serviceHeaders(fieldsOf(rawHeaders));
    this.listener.onAnswer(headers.isLast);
    if (!isPassable(status, headers.contentType)) {
      this.fail(failed(new Error(`the service answered ${status} without a problem body`)));
      return true;
    }
    const { response } = this.call;
    this.length = headers.contentLength;
    if (headers.hasDate && this.length !== undefined && mayPrepareHead(response, status)) {
      const { decision, correlation } = this.call;
      const own = answerLines(decision, correlation.requestId);
      writePreparedHead(response, status, own, completedHeaders(status, headers));
    } else response.writeHead(status, clientHeaders(this.call, status, headers));
    this.resume = resume;
    return true;
  }

  onData(chunk: Buffer): boolean {
    const { response } = this.call;
    if (String(chunk.length) === this.length) {
      // The whole body in one piece: as text it goes out with the head as one string, where a buffer is a piece of its
      // own. Let out before the end, which would add an empty piece and so cost a write of several.
      const { socket } = response;
      socket?.cork();
      response.write(chunk.toString('latin1'), 'latin1');
      socket?.uncork();
      return true;
    }
    if (response.write(chunk)) return true;
    if (this.resume) response.once('drain', this.resume);
    return false;
  }

  onComplete(): void {
    this.settle();
    this.call.response.end();
  }

  onError(error: Error): void {
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
    this.abortDispatch?.(reason);
  }

  private settle(): void {
    this.isOver = true;
    clearTimeout(this.deadline);
    this.listener.onEnd();
  }
}
