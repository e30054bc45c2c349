import { Module } from '@nestjs/common';
import { idempotencyProviders } from '@plimsoll/service-kit';
import { AccountsModule } from '../accounts/accounts.module';
import { EvaluationModule } from '../evaluation/evaluation.module';
import { HistoryModule } from '../history/history.module';
import { PositionsModule } from '../positions/positions.module';
import { PricesModule } from '../prices/prices.module';
import { RuleModule } from '../sources/rule/rule.module';
import { AutomationController } from './automation.controller';
import { ExecutionLookup, PositionLookup, RiskLookup, WebhookLookup } from './lookups';
import { RiskPoller } from './risk.poller';
import { RiskRepository } from './risk.repository';
import { RuleWriter } from './rule-writer';
import { RulesService } from './rules.service';

/** The REST API of rules and executions, and the risk of positions with a rule on it. */
@Module({
  imports: [AccountsModule, EvaluationModule, HistoryModule, PositionsModule, PricesModule, RuleModule],
  controllers: [AutomationController],
  providers: [
    ExecutionLookup,
    PositionLookup,
    RiskLookup,
    RiskPoller,
    RiskRepository,
    RuleWriter,
    RulesService,
    WebhookLookup,
    ...idempotencyProviders(),
  ],
})
export class AutomationModule {}
