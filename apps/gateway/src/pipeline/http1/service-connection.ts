import { type Socket, connect } from 'node:net';
import type { ResponseHead } from './response-head';
import { ResponseReader, type ResponseSink } from './response-reader';
import { sendBody } from './request-body';
import { type ServiceCall, ServiceCallError, WITH_BODY, isLast } from './service-call';

/** Shared by all connections, one after the other. Node itself would use 64 KiB for each read. */
const received = Buffer.allocUnsafeSlow(65_536);
const KEEP_ALIVE_PROBES_MS = 60_000;
/** Assumed keep-alive time of a service that states none. */
const DEFAULT_KEPT_MS = 4_000;
/**
 * A connection is abandoned this long before the service closes it, so that no request meets a closing one.
 */
const MARGIN_MS = 1_000;
const MAX_KEPT_MS = 600_000;

export interface ServiceConnectionOptions {
  hostname: string;
  port: number;
  connectDeadlineMs: number;
  /** Longest pause within a body. */
  bodySilenceMs: number;
}

/** Receives the events of a connection, which has one request at a time. */
export interface ServiceConnectionListener {
  /** It may carry a request again. */
  onFree(connection: ServiceConnection): void;
  /** Called once. */
  onClose(connection: ServiceConnection): void;
}

/** One connection to an instance of a service. */
export class ServiceConnection implements ResponseSink {
  /** Monotonic time after which an idle connection carries no further request. */
  idleUntilMs = Number.POSITIVE_INFINITY;
  private readonly socket: Socket;
  private readonly connectTimer: NodeJS.Timeout;
  private call: ServiceCall | undefined;
  private reader: ResponseReader | undefined;
  private isConnected = false;
  private isKept = true;
  private isSending = false;
  private isPaused = false;
  private keptMs = DEFAULT_KEPT_MS;
  private readAtMs = 0;
  private error: Error | undefined;

  constructor(
    private readonly options: ServiceConnectionOptions,
    private readonly hostLine: string,
    private readonly listener: ServiceConnectionListener,
  ) {
    const { hostname, port, connectDeadlineMs } = options;
    this.socket = connect({
      host: hostname,
      port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_PROBES_MS,
      onread: { buffer: received, callback: (bytes) => this.read(bytes) },
    });
    this.connectTimer = setTimeout(
      () => this.destroy(new ServiceCallError('the connection took too long', 'CONNECT_TIMEOUT')),
      connectDeadlineMs,
    );
    this.socket.on('connect', () => this.connected());
    this.socket.on('end', () => this.ended());
    this.socket.on('error', (error) => (this.error ??= error));
    this.socket.on('close', () => this.closed());
  }

  get isUsable(): boolean {
    return !this.socket.destroyed && this.isKept;
  }

  /** Sends a request, after the connection is established. */
  start(call: ServiceCall): void {
    this.call = call;
    call.connection = this;
    this.idleUntilMs = Number.POSITIVE_INFINITY;
    this.reader = new ResponseReader(call.request.method, this);
    if (this.isConnected) this.send(call);
  }

  /** Continues to read after a pause. */
  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.readAtMs = performance.now();
    this.socket.resume();
  }

  /** Ends the connection and its request. */
  destroy(error?: Error): void {
    if (error) this.error ??= error;
    this.isKept = false;
    this.socket.destroy();
  }

  /**
   * Ends the connection after too long a pause.
   * @param nowMs monotonic
   */
  check(nowMs: number): void {
    if (nowMs >= this.idleUntilMs) this.destroy();
    else if (this.reader?.hasHead && !this.isPaused && nowMs - this.readAtMs > this.options.bodySilenceMs) {
      this.destroy(new ServiceCallError('the body of a response stopped arriving', 'BODY_TIMEOUT'));
    }
  }

  onHead(head: ResponseHead): void {
    this.isKept &&= head.isKept;
    this.keptMs = Math.min((head.keptMs ?? DEFAULT_KEPT_MS + MARGIN_MS) - MARGIN_MS, MAX_KEPT_MS);
    if (this.call && !this.call.isFinished) this.call.listener.onHead(head);
  }

  onBody(piece: Buffer): void {
    if (!this.call || this.call.isFinished) return;
    if (!this.call.listener.onBody(piece)) this.isPaused = true;
  }

  private connected(): void {
    clearTimeout(this.connectTimer);
    this.isConnected = true;
    if (this.call) this.send(this.call);
  }

  private send(call: ServiceCall): void {
    if (call.isFinished) return this.destroy();
    const { method, path, lines, body, bodyLength } = call.request;
    if (isLast(call.request)) this.isKept = false;
    const connection = this.isKept ? 'keep-alive' : 'close';
    const isChunked = body !== null && bodyLength === undefined;
    let ending = '';
    if (isChunked) ending = 'transfer-encoding: chunked\r\n';
    else if (body === null && bodyLength === undefined && WITH_BODY.has(method))
      ending = 'content-length: 0\r\n';
    this.socket.write(
      `${method} ${path} HTTP/1.1\r\n${this.hostLine}connection: ${connection}\r\n${lines}${ending}\r\n`,
      'latin1',
    );
    if (!body) return;
    this.isSending = true;
    sendBody(this.socket, body, isChunked, (error) => {
      this.isSending = false;
      if (!error || this.call !== call) return;
      call.fail(error);
      this.destroy();
    });
  }

  /** @returns false: the kernel buffers the next data */
  private read(bytes: number): boolean {
    const { reader } = this;
    // Without a request, these bytes could be mistaken for the response to the next one.
    if (!reader || this.call === undefined) {
      this.destroy();
      return true;
    }
    this.readAtMs = performance.now();
    try {
      reader.read(received.subarray(0, bytes));
      if (reader.hasMore) this.isKept = false;
      if (reader.isEnded) this.finish();
    } catch (error) {
      this.destroy(error as Error);
    }
    return !this.isPaused;
  }

  private finish(): void {
    const { call } = this;
    this.call = undefined;
    this.reader = undefined;
    this.isPaused = false;
    // The service responded before the complete request was sent. The rest of it belongs to no request.
    if (this.isSending) {
      this.isKept = false;
      call?.request.body?.destroy();
    }
    if (this.isKept) this.idleUntilMs = performance.now() + this.keptMs;
    else this.socket.destroy();
    call?.end();
    if (this.isUsable) this.listener.onFree(this);
  }

  private ended(): void {
    if (this.reader?.hasHead) {
      try {
        this.reader.close();
        this.isKept = false;
        return this.finish();
      } catch (error) {
        this.error ??= error as Error;
      }
    }
    this.destroy();
  }

  private closed(): void {
    clearTimeout(this.connectTimer);
    this.isKept = false;
    const { call } = this;
    this.call = undefined;
    call?.fail(this.error ?? new ServiceCallError('the service closed the connection', 'CONNECTION_LOST'));
    this.listener.onClose(this);
  }
}
