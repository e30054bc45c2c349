import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { register } from 'prom-client';
import { within } from '../concurrency/within';
import { ServiceConfig } from '../config/service.config';
import { Health } from '../health/health';
import type { OperatorAlerts } from './operator-alerts';

const CHECK_DEADLINE_MS = 2_000;
const REQUEST_DEADLINE_MS = 5_000;
const MAX_CONNECTIONS = 50;
/** The paths that the operations port serves. */
export const OPERATIONS_PATHS: readonly string[] = [
  '/metrics',
  '/health/live',
  '/health/ready',
  '/operator-alerts',
];

/**
 * Serves operators on a port of its own, because clients must see neither metrics nor which dependency is unavailable:
 * /metrics in the Prometheus text format, /health/live, /health/ready with its checks (503 when not ready), and the open
 * alerts for operators at /operator-alerts, none for a service without them.
 */
@Injectable()
export class OperationsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('operations');
  private alerts: Pick<OperatorAlerts, 'listOpen'> | undefined;
  private readonly server = createServer(
    { headersTimeout: REQUEST_DEADLINE_MS, requestTimeout: REQUEST_DEADLINE_MS },
    (request, response) => {
      this.respond(request, response).catch((error: Error) => {
        this.logger.error({ msg: 'a request failed', err: error });
        response.destroy();
      });
    },
  );

  constructor(
    private readonly config: ServiceConfig,
    private readonly health: Health,
  ) {
    this.server.maxConnections = MAX_CONNECTIONS;
  }

  /** The address, while the service runs. */
  get origin(): string {
    const { address, family, port } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** Serves the alerts of the service at /operator-alerts. */
  serve(alerts: Pick<OperatorAlerts, 'listOpen'>): void {
    this.alerts = alerts;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.server.listen(this.config.OPERATIONS_PORT, this.config.OPERATIONS_HOST);
    await once(this.server, 'listening');
    this.logger.log({ msg: 'metrics and health', origin: this.origin });
  }

  onApplicationShutdown(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async respond({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = method === 'GET' || method === 'HEAD' ? url?.split('?')[0] : undefined;
    if (path === '/metrics') {
      response.setHeader('Content-Type', register.contentType);
      response.end(await register.metrics());
    } else if (path === '/health/live') sendJson(response, 200, { status: 'live' });
    else if (path === '/health/ready') {
      const report = await this.health.report(CHECK_DEADLINE_MS);
      sendJson(response, report.status === 'not_ready' ? 503 : 200, report);
    } else if (path === '/operator-alerts') {
      await this.sendAlerts(response);
    } else sendJson(response, 404, { paths: OPERATIONS_PATHS });
  }

  private async sendAlerts(response: ServerResponse): Promise<void> {
    const late = (): Error => new Error(`no response within ${CHECK_DEADLINE_MS} ms`);
    try {
      const work = this.alerts?.listOpen() ?? Promise.resolve([]);
      sendJson(response, 200, { alerts: await within(CHECK_DEADLINE_MS, work, late) });
    } catch (error) {
      sendJson(response, 503, { reason: `the alerts cannot be read: ${(error as Error).message}` });
    }
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
