import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/** A request to a service. */
export interface ServiceRequest {
  method: string;
  /** As in the request line. */
  path: string;
  /** Flat list of names and values, without those of the connection. */
  headers: string[];
  /** The headers contain Content-Length when it is known. */
  body: Buffer | Readable | null;
}

/** Methods whose requests usually have a body. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

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
  /**
   * The final head. It is not called for informational responses (1xx).
   * @param headers flat list with names as written
   */
  onHead(status: number, headers: string[]): void;
  /** @returns false to pause until resume() */
  onBody(piece: Buffer): boolean;
  onEnd(): void;
  /** Called in a later turn than the failure. */
  onFailure(error: Error): void;
}

/**
 * One request in progress: waiting for a connection, or on one. It receives the callbacks of undici in the
 * form that undici uses internally. Its other form creates an object of all headers first.
 */
export class ServiceCall implements Dispatcher.DispatchHandler {
  private isFinished = false;
  private stop: (() => void) | undefined;
  private readOn: (() => void) | undefined;

  constructor(
    private readonly request: ServiceRequest,
    private readonly listener: ServiceCallListener,
  ) {}

  /** Aborts the request without a callback. */
  abort(): void {
    if (this.isFinished) return;
    this.finish();
    this.stop?.();
  }

  /** Continues a paused body. */
  resume(): void {
    if (!this.isFinished) this.readOn?.();
  }

  /** @throws Error when the request was aborted before, so that the connection is kept for another request */
  onConnect(abort: () => void): void {
    if (this.isFinished) throw new Error('aborted');
    this.stop = abort;
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void): boolean {
    this.readOn = resume;
    if (status >= 200 && !this.isFinished) this.listener.onHead(status, textsOf(raw));
    return true;
  }

  onData(piece: Buffer): boolean {
    return this.isFinished || this.listener.onBody(piece);
  }

  onComplete(): void {
    if (this.isFinished) return;
    this.finish();
    this.listener.onEnd();
  }

  onError(error: Error): void {
    setImmediate(() => {
      if (this.isFinished) return;
      this.finish();
      this.listener.onFailure(error);
    });
  }

  private finish(): void {
    this.isFinished = true;
    const { body } = this.request;
    if (body && 'destroy' in body) body.destroy();
  }
}

/**
 * Returns the texts of buffers. The parser returns views of one received buffer, unless the head arrived in
 * parts. Then one conversion of the whole costs less than one of each name and value.
 */
function textsOf(raw: readonly Buffer[]): string[] {
  const start = raw[0]?.byteOffset ?? 0;
  let end = start;
  for (const { buffer, byteOffset, length } of raw) {
    if (buffer !== raw[0]?.buffer || byteOffset < end) return raw.map((bytes) => bytes.toString('latin1'));
    end = byteOffset + length;
  }
  const text = raw[0] ? Buffer.from(raw[0].buffer, start, end - start).toString('latin1') : '';
  return raw.map(({ byteOffset, length }) => text.slice(byteOffset - start, byteOffset - start + length));
}
