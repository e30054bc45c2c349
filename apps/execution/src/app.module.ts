import { Module } from '@nestjs/common';
import { EventBusModule, INBOX_MIGRATION, OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import {
  DatabaseModule,
  IDEMPOTENCY_MIGRATION,
  eventBusOptions,
  idempotencyProviders,
  migrationsFolder,
} from '@plimsoll/service-kit';
import { AutomationConsumer } from './automation/automation.consumer';
import { ReadinessController } from './automation/readiness.controller';
import { ReadinessService } from './automation/readiness.service';
import { ChainsService } from './chains/chains.service';
import { AuditRepository } from './executions/audit.repository';
import { ExecutionCleaner } from './executions/execution-cleaner';
import { BuiltRepository } from './built/built.repository';
import { BuiltWatcher } from './built/built-watcher';
import { ExecutionsController } from './api/executions.controller';
import { ExecutionsRepository } from './executions/executions.repository';
import { ExecutionsService } from './api/executions.service';
import { Switches } from './executions/switches';
import { PrismaClient } from './generated/prisma/client';
import { PlannerService } from './planning/planner.service';
import { PriceCheck } from './planning/price-check';
import { KeyStore } from './signing/key-store';
import { LocalKeyStore } from './signing/local-key-store';
import { AttemptsRepository } from './submission/attempts.repository';
import { AttemptsService } from './submission/attempts.service';
import { AuthorisationsController } from './api/authorisations.controller';
import { Authorisations } from './submission/authorisations';
import { AuthorisationsRepository } from './submission/authorisations.repository';
import { Follower } from './submission/follower';
import { Preparer } from './submission/preparer';
import { RunPlanner } from './submission/run-planner';
import { SubmissionWorker } from './submission/submission-worker';
import { SubmissionsRepository } from './submission/submissions.repository';
import { PositionSource } from './positions/position-source';

@Module({
  imports: [
    DatabaseModule.forSchema('execution', migrationsFolder(__dirname), {
      client: PrismaClient,
      library: [OUTBOX_MIGRATION, INBOX_MIGRATION, IDEMPOTENCY_MIGRATION],
    }),
    EventBusModule.forRootAsync(eventBusOptions('execution')),
  ],
  controllers: [AuthorisationsController, AutomationConsumer, ExecutionsController, ReadinessController],
  providers: [
    AttemptsRepository,
    AttemptsService,
    AuditRepository,
    Authorisations,
    AuthorisationsRepository,
    BuiltRepository,
    BuiltWatcher,
    ChainsService,
    ExecutionCleaner,
    ExecutionsRepository,
    ExecutionsService,
    Follower,
    { provide: KeyStore, useClass: LocalKeyStore },
    PlannerService,
    PositionSource,
    Preparer,
    PriceCheck,
    ReadinessService,
    RunPlanner,
    SubmissionWorker,
    SubmissionsRepository,
    Switches,
    ...idempotencyProviders(),
  ],
})
export class AppModule {}
