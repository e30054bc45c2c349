import { Module } from '@nestjs/common';
import { EventBusModule, type EventBusOptions } from '@plimsoll/event-bus';
import {
  DatabaseModule,
  Health,
  idempotencyProviders,
  kafkaSettings,
  migrationsFolder,
} from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { Pool } from 'pg';
import { ChainsService } from './chains/chains.service';
import { Clock } from './clock';
import { ExecutionConfig } from './config';
import { AuditRepository } from './executions/audit.repository';
import { ExecutionsController } from './executions/executions.controller';
import { ExecutionsRepository } from './executions/executions.repository';
import { ExecutionsService } from './executions/executions.service';
import { Switches } from './executions/switches';
import { PlannerService } from './planning/planner.service';
import { PriceCheck } from './planning/price-check';
import { PositionSource } from './positions/position-source';

@Module({
  imports: [
    DatabaseModule.forSchema('execution', migrationsFolder(__dirname)),
    EventBusModule.forRootAsync({
      inject: [ExecutionConfig, Pool, PinoLogger, Health],
      useFactory: (
        config: ExecutionConfig,
        pool: Pool,
        logger: PinoLogger,
        health: Health,
      ): EventBusOptions => ({
        ...kafkaSettings(config),
        clientId: 'execution',
        groupId: 'execution',
        pool,
        logger,
        health,
      }),
    }),
  ],
  controllers: [ExecutionsController],
  providers: [
    AuditRepository,
    ChainsService,
    Clock,
    ExecutionsRepository,
    ExecutionsService,
    PlannerService,
    PositionSource,
    PriceCheck,
    Switches,
    ...idempotencyProviders(),
  ],
})
export class AppModule {}
