import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { parseCidrs } from '@plimsoll/service-kit';
import { WebhookDeliveryConfig } from '../config';
import { HostResolver } from './host-resolver';
import { HttpSender } from './http-sender';
import { TargetGuard } from './target-guard';
import type { OpenedRanges } from './url-policy';

const openedRanges = (config: WebhookDeliveryConfig): OpenedRanges => ({
  cidrs: parseCidrs(config.WEBHOOK_ALLOW_CIDRS),
  http: config.WEBHOOK_ALLOW_HTTP,
});

const ownOrigin = ({ PUBLIC_URL }: WebhookDeliveryConfig): URL | null =>
  PUBLIC_URL === '' ? null : new URL(PUBLIC_URL);

/** Everything that sends requests to endpoints of customers, and the rules for their addresses. */
@Module({
  providers: [
    { provide: HostResolver, useFactory: () => new HostResolver() },
    {
      provide: HttpSender,
      inject: [HostResolver, WebhookDeliveryConfig],
      useFactory: (resolver: HostResolver, config: WebhookDeliveryConfig) =>
        new HttpSender(resolver, openedRanges(config), Date.now),
    },
    {
      provide: TargetGuard,
      inject: [HostResolver, WebhookDeliveryConfig],
      useFactory: (resolver: HostResolver, config: WebhookDeliveryConfig) =>
        new TargetGuard(resolver, openedRanges(config), ownOrigin(config)),
    },
  ],
  exports: [HttpSender, TargetGuard],
})
export class OutgoingModule implements OnApplicationShutdown {
  constructor(private readonly sender: HttpSender) {}

  onApplicationShutdown(): Promise<void> {
    return this.sender.close();
  }
}
