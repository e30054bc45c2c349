import { ServiceCall, ServiceCallError, type ServiceCallListener, type ServiceRequest } from './service-call';
import {
  ServiceConnection,
  type ServiceConnectionListener,
  type ServiceConnectionOptions,
} from './service-connection';

const CHECK_MS = 1_000;

const shutDown = (): Error => new ServiceCallError('the gateway is shutting down', 'POOL_CLOSED');

/** The kept-alive connections to one instance of a service. */
export class ServicePool implements ServiceConnectionListener {
  private readonly all = new Set<ServiceConnection>();
  private readonly idle: ServiceConnection[] = [];
  private readonly waiting: ServiceCall[] = [];
  private readonly timer: NodeJS.Timeout;
  private readonly options: ServiceConnectionOptions;
  private readonly hostLine: string;
  private isAssigning = false;
  private isClosed = false;

  /**
   * @param origin http://host:port
   * @param connections most connections
   */
  constructor(
    origin: string,
    private readonly connections: number,
    options: Pick<ServiceConnectionOptions, 'connectDeadlineMs' | 'bodySilenceMs'>,
  ) {
    const { hostname, port, host } = new URL(origin);
    this.options = { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80), ...options };
    this.hostLine = `host: ${host}\r\n`;
    this.timer = setInterval(() => this.check(), CHECK_MS).unref();
  }

  /** Sends a request when it has a connection. The listener is called in a later turn. */
  dispatch(request: ServiceRequest, listener: ServiceCallListener): ServiceCall {
    const call = new ServiceCall(request, listener);
    this.waiting.push(call);
    this.assignLater();
    return call;
  }

  /** Aborts all requests in progress. */
  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const connection of this.all) connection.destroy(shutDown());
    this.assignLater();
  }

  onFree(connection: ServiceConnection): void {
    this.idle.push(connection);
    if (this.waiting.length > 0) this.assignLater();
  }

  onClose(connection: ServiceConnection): void {
    this.all.delete(connection);
    const at = this.idle.indexOf(connection);
    if (at !== -1) this.idle.splice(at, 1);
    if (this.waiting.length > 0) this.assignLater();
  }

  /**
   * Deferred until pending data of idle connections has been read. A connection that the service closed, or
   * on which it sent unexpected data, carries no request.
   */
  private assignLater(): void {
    if (this.isAssigning) return;
    this.isAssigning = true;
    setImmediate(() => this.assign());
  }

  private assign(): void {
    this.isAssigning = false;
    if (this.isClosed) {
      for (const call of this.waiting.splice(0)) call.fail(shutDown());
      return;
    }
    let at = 0;
    for (; at < this.waiting.length; at += 1) {
      const call = this.waiting[at]!;
      if (call.isFinished) continue;
      const connection = this.free();
      if (!connection) break;
      connection.start(call);
    }
    this.waiting.splice(0, at);
  }

  private free(): ServiceConnection | undefined {
    const nowMs = performance.now();
    for (let idle = this.idle.pop(); idle; idle = this.idle.pop()) {
      if (idle.isUsable && nowMs < idle.idleUntilMs) return idle;
      idle.destroy();
    }
    if (this.all.size >= this.connections) return undefined;
    const connection = new ServiceConnection(this.options, this.hostLine, this);
    this.all.add(connection);
    return connection;
  }

  private check(): void {
    const nowMs = performance.now();
    for (const connection of this.all) connection.check(nowMs);
  }
}
