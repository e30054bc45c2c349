import { Module } from '@nestjs/common';
import { idempotencyProviders } from '@plimsoll/service-kit';
import { ChainsModule } from '../chains/chains.module';
import { ExecutionsModule } from '../executions/executions.module';
import { PlanningModule } from '../planning/planning.module';
import { PositionsModule } from '../positions/positions.module';
import { SigningModule } from '../signing/signing.module';
import { SubmissionModule } from '../submission/submission.module';
import { AuthorisationsController } from './authorisations.controller';
import { ExecutionsController } from './executions.controller';
import { ExecutionsService } from './executions.service';

/** The REST API of executions. */
@Module({
  imports: [ChainsModule, ExecutionsModule, PlanningModule, PositionsModule, SigningModule, SubmissionModule],
  controllers: [AuthorisationsController, ExecutionsController],
  providers: [ExecutionsService, ...idempotencyProviders()],
})
export class ApiModule {}
