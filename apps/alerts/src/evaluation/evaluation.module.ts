import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { HistoryModule } from '../history/history.module';
import { LifecycleModule } from '../lifecycle/lifecycle.module';
import { PositionsModule } from '../positions/positions.module';
import { PricesModule } from '../prices/prices.module';
import { AssetPriceModule } from '../sources/asset-price/asset-price.module';
import { ExecutionModule } from '../sources/execution/execution.module';
import { RuleModule } from '../sources/rule/rule.module';
import { WhaleModule } from '../sources/whale/whale.module';
import { AccountConsumer } from './account.consumer';
import { DepegsRepository } from './depegs.repository';
import { Depegs } from './depegs.service';
import { DueOpeningsPoller } from './due-openings.poller';
import { EvaluationService } from './evaluation.service';
import { PositionConsumer } from './position.consumer';
import { PriceRules } from './price-rules.service';
import { PriceConsumer } from './price.consumer';
import { SilencePoller } from './silence.poller';
import { WalletConsumer } from './wallet.consumer';

/** Evaluates positions when they, their prices, their watchers or their rules change. */
@Module({
  imports: [
    AccountsModule,
    AssetPriceModule,
    ExecutionModule,
    HistoryModule,
    LifecycleModule,
    PositionsModule,
    PricesModule,
    RuleModule,
    WhaleModule,
  ],
  controllers: [AccountConsumer, PositionConsumer, PriceConsumer, WalletConsumer],
  providers: [Depegs, DepegsRepository, DueOpeningsPoller, EvaluationService, PriceRules, SilencePoller],
  exports: [EvaluationService],
})
export class EvaluationModule {}
