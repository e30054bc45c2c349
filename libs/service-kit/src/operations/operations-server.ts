import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { register } from 'prom-client';
import { ServiceConfig } from '../config/service.config';
import { Health } from '../health/health';

const CHECK_DEADLINE_MS = 2_000;
const REQUEST_DEADLINE_MS = 5_000;
const MAX_CONNECTIONS = 50;

/**
 * Serves operators on a port of its own, because clients must see neither metrics nor which dependency is unavailable:
 * /metrics in the Prometheus text format, /health/live, and /health/ready with its checks (503 when not ready).
 */
@Injectable()
export class OperationsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('operations');
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
    } else sendJson(response, 404, { paths: ['/metrics', '/health/live', '/health/ready'] });
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
