import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Service } from '@plimsoll/access';
import { GatewayConfig } from '../config';
import { Upstream } from './upstream';

export type UpstreamName = Exclude<Service, 'gateway'>;

/** Every service behind the gateway. */
@Injectable()
export class Upstreams implements OnApplicationShutdown {
  readonly all: Readonly<Record<UpstreamName, Upstream>>;

  constructor(config: GatewayConfig) {
    const upstream = (origins: string): Upstream =>
      new Upstream(origins, config.UPSTREAM_CONNECT_DEADLINE_MS, config.UPSTREAM_ANSWER_DEADLINE_MS);
    this.all = {
      positions: upstream(config.UPSTREAM_POSITIONS),
      alerts: upstream(config.UPSTREAM_ALERTS),
      'webhook-delivery': upstream(config.UPSTREAM_WEBHOOK_DELIVERY),
      streams: upstream(config.UPSTREAM_STREAMS),
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.all).map((upstream) => upstream.close()));
  }
}
