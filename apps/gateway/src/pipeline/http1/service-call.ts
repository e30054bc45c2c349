import type { Readable } from 'node:stream';
import type { ResponseHead } from './response-head';

/** A request to a service. */
export interface ServiceRequest {
  method: string;
  /** As in the request line. */
  path: string;
  /** Lines of the head, without those of the connection. They are not inspected again. */
  lines: string;
  /** The lines contain Content-Length when it is known. */
  body: Readable | null;
  /** Bytes of the body. Undefined when not known in advance. */
  bodyLength: number | undefined;
}

/** Methods whose requests usually have a body. A missing body is then stated explicitly. */
export const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Returns true for a request that ends its connection. A service that does not know HEAD, or an unusual body,
 * may leave bytes that the next request would meet.
 */
export function isLast({ method, body }: ServiceRequest): boolean {
  return method === 'HEAD' || (body !== null && !WITH_BODY.has(method));
}

/**
 * Receives the progress of a request. Nothing follows after onEnd or onFailure, and one of them is called
 * once.
 */
export interface ServiceCallListener {
  onHead(head: ResponseHead): void;
  /**
   * @param piece valid only during the call
   * @returns false to pause until resume()
   */
  onBody(piece: Buffer): boolean;
  onEnd(): void;
  onFailure(error: Error): void;
}

/** A request to a service that broke off or could not be sent. */
export class ServiceCallError extends Error {
  override readonly name = 'ServiceCallError';

  constructor(
    message: string,
    readonly code: 'CONNECT_TIMEOUT' | 'POOL_CLOSED' | 'CONNECTION_LOST' | 'BODY_TIMEOUT',
  ) {
    super(message);
  }
}

/** One request in progress: waiting for a connection, or on one. */
export class ServiceCall {
  connection: { destroy(): void; resume(): void } | undefined;
  isFinished = false;

  constructor(
    readonly request: ServiceRequest,
    readonly listener: ServiceCallListener,
  ) {}

  /** Aborts the request without a callback. */
  abort(): void {
    if (this.isFinished) return;
    this.isFinished = true;
    this.request.body?.destroy();
    this.connection?.destroy();
  }

  /** Continues a paused body. */
  resume(): void {
    if (!this.isFinished) this.connection?.resume();
  }

  end(): void {
    if (this.isFinished) return;
    this.isFinished = true;
    this.listener.onEnd();
  }

  fail(error: Error): void {
    if (this.isFinished) return;
    this.isFinished = true;
    this.request.body?.destroy();
    this.listener.onFailure(error);
  }
}
