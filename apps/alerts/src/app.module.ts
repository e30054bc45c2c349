import { Module } from '@nestjs/common';
import { EventBusModule, type EventBusOptions } from '@plimsoll/event-bus';
import { DatabaseModule, Health, migrationsFolder, kafkaSettings } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { Pool } from 'pg';
import { AlertsController } from './alerts/alerts.controller';
import { AlertsRepository } from './alerts/alerts.repository';
import { StandingAlertsRepository } from './alerts/standing-alerts.repository';
import { Clock } from './clock';
import { AlertsConfig } from './config';
import { DueOpeningsPoller } from './evaluation/due-openings.poller';
import { EvaluationService } from './evaluation/evaluation.service';
import { PositionConsumer } from './evaluation/position.consumer';
import { PositionsRepository } from './evaluation/positions.repository';
import { PrismaService } from './prisma.service';
import { WalletConsumer } from './watching/wallet.consumer';
import { WatchesRepository } from './watching/watches.repository';

@Module({
  imports: [
    DatabaseModule.forSchema('alerts', migrationsFolder(__dirname)),
    EventBusModule.forRootAsync({
      inject: [AlertsConfig, Pool, PinoLogger, Health],
      useFactory: (
        config: AlertsConfig,
        pool: Pool,
        logger: PinoLogger,
        health: Health,
      ): EventBusOptions => ({
        ...kafkaSettings(config),
        clientId: 'alerts',
        groupId: 'alerts',
        pool,
        logger,
        health,
      }),
    }),
  ],
  controllers: [AlertsController, PositionConsumer, WalletConsumer],
  providers: [
    AlertsRepository,
    Clock,
    DueOpeningsPoller,
    EvaluationService,
    PositionsRepository,
    PrismaService,
    StandingAlertsRepository,
    WatchesRepository,
  ],
})
export class AppModule {}
