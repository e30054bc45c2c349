import { Module } from '@nestjs/common';
import { LifecycleModule } from '../../lifecycle/lifecycle.module';
import { RuleModule } from '../rule/rule.module';
import { ExecutionAlerts } from './execution-alerts.service';
import { ExecutionConsumer } from './execution.consumer';

/** Alerts about failed executions. */
@Module({
  imports: [LifecycleModule, RuleModule],
  controllers: [ExecutionConsumer],
  providers: [ExecutionAlerts],
  exports: [ExecutionAlerts],
})
export class ExecutionModule {}
