import { Module } from '@nestjs/common';
import { EventBusModule, type EventBusOptions } from '@plimsoll/event-bus';
import {
  DatabaseModule,
  Health,
  idempotencyProviders,
  migrationsFolder,
  kafkaSettings,
} from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { Pool } from 'pg';
import { AccountConsumer } from './accounts/account.consumer';
import { AccountsRepository } from './accounts/accounts.repository';
import { AlertsController } from './alerts/alerts.controller';
import { AlertsRepository } from './alerts/alerts.repository';
import { PositionAlertsRepository } from './alerts/position-alerts.repository';
import { AutomationController } from './automation/automation.controller';
import { ExecutionsRepository } from './automation/executions.repository';
import { RuleWriter } from './automation/rule-writer';
import { RulesRepository } from './automation/rules.repository';
import { RulesService } from './automation/rules.service';
import { Clock } from './clock';
import { AlertsConfig } from './config';
import { DeliveryConsumer } from './endpoints/delivery.consumer';
import { EndpointAlertsRepository } from './endpoints/endpoint-alerts.repository';
import { DueOpeningsPoller } from './evaluation/due-openings.poller';
import { EvaluationService } from './evaluation/evaluation.service';
import { PositionConsumer } from './evaluation/position.consumer';
import { PositionsRepository } from './evaluation/positions.repository';
import { HistoryCleaner } from './history/history-cleaner';
import { HistoryRepository } from './history/history.repository';
import { IncidentsController } from './incidents/incidents.controller';
import { IncidentsReader } from './incidents/incidents.reader';
import { IncidentsRepository } from './incidents/incidents.repository';
import { IncidentsService } from './incidents/incidents.service';
import { PrismaService } from './prisma.service';
import { PositionLookup } from './upstream/position-lookup';
import { WebhookLookup } from './upstream/webhook-lookup';
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
  controllers: [
    AccountConsumer,
    AlertsController,
    AutomationController,
    DeliveryConsumer,
    IncidentsController,
    PositionConsumer,
    WalletConsumer,
  ],
  providers: [
    AccountsRepository,
    AlertsRepository,
    Clock,
    DueOpeningsPoller,
    EndpointAlertsRepository,
    EvaluationService,
    ExecutionsRepository,
    HistoryCleaner,
    HistoryRepository,
    IncidentsReader,
    IncidentsRepository,
    IncidentsService,
    PositionAlertsRepository,
    PositionLookup,
    PositionsRepository,
    PrismaService,
    RuleWriter,
    RulesRepository,
    RulesService,
    WatchesRepository,
    WebhookLookup,
    ...idempotencyProviders(),
  ],
})
export class AppModule {}
