import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type UpstreamTls, readUpstreamTls } from '@plimsoll/service-kit';
import { Agent } from 'undici';
import { GatewayConfig } from '../../config';
import { Upstream, type UpstreamName } from './upstream';

/** Every service behind the gateway. */
@Injectable()
export class Upstreams implements OnApplicationShutdown {
  readonly all: Readonly<Record<UpstreamName, Upstream>>;
  /** For handshakes of WebSockets, which are not of a pool. */
  readonly tls: UpstreamTls;
  /** For requests of the gateway itself. */
  readonly agent: Agent;

  constructor(config: GatewayConfig) {
    this.tls = readUpstreamTls(config);
    this.agent = new Agent({ connect: { ...this.tls } });
    const options = {
      connectDeadlineMs: config.UPSTREAM_CONNECT_DEADLINE_MS,
      tls: this.tls,
    };
    const upstream = (name: UpstreamName, origins: string): Upstream => new Upstream(name, origins, options);
    this.all = {
      positions: upstream('positions', config.UPSTREAM_POSITIONS),
      'market-data': upstream('market-data', config.UPSTREAM_MARKET_DATA),
      alerts: upstream('alerts', config.UPSTREAM_ALERTS),
      'webhook-delivery': upstream('webhook-delivery', config.UPSTREAM_WEBHOOK_DELIVERY),
      streams: upstream('streams', config.UPSTREAM_STREAMS),
      simulation: upstream('simulation', config.UPSTREAM_SIMULATION),
      whales: upstream('whales', config.UPSTREAM_WHALES),
      ai: upstream('ai', config.UPSTREAM_AI),
      execution: upstream('execution', config.UPSTREAM_EXECUTION),
      sandbox: upstream('sandbox', config.UPSTREAM_SANDBOX),
    };
  }

  onApplicationShutdown(): void {
    void this.agent.destroy();
    for (const upstream of Object.values(this.all)) upstream.close();
  }
}
