import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { ExecutionsModule } from '../executions/executions.module';
import { PlanningModule } from '../planning/planning.module';
import { SigningModule } from '../signing/signing.module';
import { AttemptsRepository } from './attempts.repository';
import { AttemptsService } from './attempts.service';
import { Authorisations } from './authorisations';
import { AuthorisationsRepository } from './authorisations.repository';
import { Follower } from './follower';
import { Preparer } from './preparer';
import { RunPlanner } from './run-planner';
import { SubmissionWorker } from './submission-worker';
import { SubmissionsRepository } from './submissions.repository';

/** Signs, sends and follows executions through the executor contract. */
@Module({
  imports: [ChainsModule, ExecutionsModule, PlanningModule, SigningModule],
  providers: [
    AttemptsRepository,
    AttemptsService,
    Authorisations,
    AuthorisationsRepository,
    Follower,
    Preparer,
    RunPlanner,
    SubmissionWorker,
    SubmissionsRepository,
  ],
  exports: [Authorisations, AuthorisationsRepository, RunPlanner],
})
export class SubmissionModule {}
