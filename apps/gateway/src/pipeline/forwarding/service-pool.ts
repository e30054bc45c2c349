import type { UpstreamTls } from '@plimsoll/service-kit';
import { Pool, buildConnector } from 'undici';
import { ServiceCall, type ServiceCallListener, type ServiceRequest, isLast } from './service-call';

const KEEP_ALIVE_PROBES_MS = 60_000;
/**
 * A connection is abandoned this long before the service closes it, so that no request meets a closing one.
 */
const MARGIN_MS = 1_000;

export interface ServicePoolOptions {
  /** Most connections. */
  connections: number;
  connectDeadlineMs: number;
  /** Longest pause within a body. Absent: the exchange limits it, with fewer timers. */
  bodySilenceMs?: number;
  /** For an https:// origin. */
  tls: UpstreamTls;
}

/** The pool was closed before or during a request. */
class PoolClosed extends Error {
  readonly code = 'POOL_CLOSED';
}

/** The kept-alive connections to one instance of a service, each with one request at a time. */
export class ServicePool {
  private readonly pool: Pool;

  /** @param origin http://host:port or https://host:port */
  constructor(
    origin: string,
    { connections, connectDeadlineMs, bodySilenceMs = 0, tls }: ServicePoolOptions,
  ) {
    const connect = { timeout: connectDeadlineMs, keepAliveInitialDelay: KEEP_ALIVE_PROBES_MS };
    this.pool = new Pool(origin, {
      connections,
      pipelining: 1,
      // The exchange has one deadline from the dispatch to the head.
      headersTimeout: 0,
      bodyTimeout: bodySilenceMs,
      keepAliveTimeoutThreshold: MARGIN_MS,
      connect: origin.startsWith('https:') ? countingConnector({ ...tls, ...connect }) : connect,
    });
  }

  /** Sends a request when it has a connection. */
  dispatch(request: ServiceRequest, listener: ServiceCallListener): ServiceCall {
    const { method, path, headers, body } = request;
    const call = new ServiceCall(request, listener);
    const reset = isLast(request);
    this.pool.dispatch({ method, path, headers, body, reset, blocking: false }, call);
    return call;
  }

  /** Aborts all requests in progress. */
  close(): void {
    void this.pool.destroy(new PoolClosed('the gateway is shutting down'));
  }
}

/**
 * Connects over TLS. An error of the connection has the number of received bytes, as those of undici do, which
 * shows whether the service accepted the connection.
 */
function countingConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...result) => {
      const [, socket] = result;
      socket?.on('error', (error) => Object.assign(error, { socket: { bytesRead: socket.bytesRead } }));
      callback(...result);
    });
}
