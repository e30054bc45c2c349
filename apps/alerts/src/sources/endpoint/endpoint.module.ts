import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module';
import { LifecycleModule } from '../../lifecycle/lifecycle.module';
import { RuleModule } from '../rule/rule.module';
import { DeliveryConsumer } from './delivery.consumer';
import { EndpointStatesRepository } from './endpoint-states.repository';
import { WebhookConsumer } from './webhook.consumer';

/** Alerts about webhook endpoints. */
@Module({
  imports: [AccountsModule, LifecycleModule, RuleModule],
  controllers: [DeliveryConsumer, WebhookConsumer],
  providers: [EndpointStatesRepository],
})
export class EndpointModule {}
