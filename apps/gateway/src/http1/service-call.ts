import type { Readable } from 'node:stream';
import type { AnswerHead } from './answer-head';
import type { ServiceConnection } from './service-connection';

/** What to send to a service. */
export interface ServiceRequest {
  method: string;
  /** As it goes into the request line. */
  path: string;
  /** Lines of the head, without those of the connection: nothing in them is looked at again. */
  lines: string;
  /** Content-Length stands in the lines where it is known. */
  body: Readable | null;
  /** Bytes of the body; undefined: not known beforehand. */
  bodyLength: number | undefined;
}

/** Methods whose calls usually have a body: the end of one that has none is said. */
export const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * True for a call that is the last of its connection: a service that does not know HEAD, or a body where none is usual,
 * may send or leave something that the next call would meet.
 */
export function isLast({ method, body }: ServiceRequest): boolean {
  return method === 'HEAD' || (body !== null && !WITH_BODY.has(method));
}

/** Told how a call fares. After onEnd or onFailure, of which one is called once, nothing follows. */
export interface ServiceCallListener {
  onHead(head: AnswerHead): void;
  /** @param piece only there during the call. @returns false: no more until resume() */
  onBody(piece: Buffer): boolean;
  onEnd(): void;
  onFailure(error: Error): void;
}

/** A call of a service that was broken off or could not be made. */
export class ServiceCallError extends Error {
  override readonly name = 'ServiceCallError';

  constructor(
    message: string,
    readonly code: 'CONNECT_TIMEOUT' | 'POOL_CLOSED' | 'CONNECTION_LOST' | 'BODY_TIMEOUT',
  ) {
    super(message);
  }
}

/** One call under way: waiting for a connection, or on one. */
export class ServiceCall {
  connection: ServiceConnection | undefined;
  isOver = false;

  constructor(
    readonly request: ServiceRequest,
    readonly listener: ServiceCallListener,
  ) {}

  /** Breaks the call off: nobody is told. */
  abort(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.request.body?.destroy();
    this.connection?.destroy();
  }

  /** More of the body may come. */
  resume(): void {
    if (!this.isOver) this.connection?.resume();
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.listener.onEnd();
  }

  fail(error: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    this.request.body?.destroy();
    this.listener.onFailure(error);
  }
}
