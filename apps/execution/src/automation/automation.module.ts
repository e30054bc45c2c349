import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { ExecutionsModule } from '../executions/executions.module';
import { PlanningModule } from '../planning/planning.module';
import { PositionsModule } from '../positions/positions.module';
import { SigningModule } from '../signing/signing.module';
import { SubmissionModule } from '../submission/submission.module';
import { AutomationConsumer } from './automation.consumer';
import { ReadinessController } from './readiness.controller';
import { ReadinessService } from './readiness.service';

/** Executions that rules request. */
@Module({
  imports: [ChainsModule, ExecutionsModule, PlanningModule, PositionsModule, SigningModule, SubmissionModule],
  controllers: [AutomationConsumer, ReadinessController],
  providers: [ReadinessService],
})
export class AutomationModule {}
