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
import { AccountConsumer } from './evaluation/account.consumer';
import { AccountsRepository } from './accounts/accounts.repository';
import { AlertsController } from './lifecycle/alerts.controller';
import { AlertsRepository } from './lifecycle/alert-list.repository';
import { ExpiryPoller } from './lifecycle/expiry.poller';
import { PositionAlertsRepository } from './lifecycle/alerts.repository';
import { AssetAlerts } from './sources/asset-price/asset-alerts.service';
import { AssetAlertsRepository } from './sources/asset-price/holders.repository';
import { AssetConditions } from './sources/asset-price/asset-conditions.service';
import { AssetConditionsRepository } from './sources/asset-price/asset-conditions.repository';
import { HoldingChanges } from './sources/asset-price/holding-changes';
import { PendingNotificationsPoller } from './sources/asset-price/pending-notifications.poller';
import { AutomationController } from './automation/automation.controller';
import { ExecutionsRepository } from './sources/rule/executions.repository';
import { RuleWriter } from './automation/rule-writer';
import { RulesRepository } from './sources/rule/rules.repository';
import { RulesService } from './automation/rules.service';
import { Clock } from './clock';
import { AlertsConfig } from './config';
import { Depegs } from './evaluation/depegs.service';
import { DepegsRepository } from './evaluation/depegs.repository';
import { DeliveryConsumer } from './sources/endpoint/delivery.consumer';
import { EndpointAlertsRepository } from './sources/endpoint/endpoint-states.repository';
import { EndpointAlerts } from './sources/endpoint/endpoint-alerts.service';
import { WebhookConsumer } from './sources/endpoint/webhook.consumer';
import { DueOpeningsPoller } from './evaluation/due-openings.poller';
import { EvaluationService } from './evaluation/evaluation.service';
import { PositionConsumer } from './evaluation/position.consumer';
import { PositionsRepository } from './positions/positions.repository';
import { ExecutionAlertsRepository } from './sources/execution/execution-alerts.repository';
import { ExecutionAlerts } from './sources/execution/execution-alerts.service';
import { ExecutionConsumer } from './sources/execution/execution.consumer';
import { AlertGroupsPoller } from './lifecycle/alert-groups.poller';
import { AlertGroupsRepository } from './groups/alert-groups.repository';
import { AlertGroups } from './groups/alert-groups.service';
import { HistoryCleaner } from './history/history-cleaner';
import { HistoryRepository } from './history/history.repository';
import { IncidentsController } from './incidents/incidents.controller';
import { IncidentsReader } from './incidents/incidents.reader';
import { IncidentsRepository } from './incidents/incidents.repository';
import { IncidentsService } from './incidents/incidents.service';
import { PriceConsumer } from './evaluation/price.consumer';
import { PriceMinutesRepository } from './prices/price-minutes.repository';
import { PriceRules } from './evaluation/price-rules.service';
import { PricesRepository } from './prices/prices.repository';
import { SilencePoller } from './evaluation/silence.poller';
import { PrismaService } from './infrastructure/prisma.service';
import { RiskPoller } from './risk/risk.poller';
import { RiskRepository } from './risk/risk.repository';
import { ExecutionLookup } from './automation/execution-lookup';
import { PositionLookup } from './automation/position-lookup';
import { RiskLookup } from './risk/risk-lookup';
import { WebhookLookup } from './automation/webhook-lookup';
import { WalletConsumer } from './evaluation/wallet.consumer';
import { WatchedProtocolsController } from './sources/whale/watched-protocols.controller';
import { WatchedProtocolsRepository } from './sources/whale/watched-protocols.repository';
import { WatchesRepository } from './accounts/watches.repository';
import { AlertSettingsController } from './settings/alert-settings.controller';
import { AlertSettingsRepository } from './accounts/alert-settings.repository';
import { AlertSettingsService } from './settings/alert-settings.service';
import { PendingMovesRepository } from './sources/whale/pending-moves.repository';
import { WhaleAlerts } from './sources/whale/whale-alerts.service';
import { WhaleAlertsRepository } from './sources/whale/whale-alerts.repository';
import { WhaleConsumer } from './sources/whale/whale.consumer';
import { WhaleNotificationsPoller } from './sources/whale/whale-notifications.poller';

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
    AlertSettingsController,
    AlertsController,
    AutomationController,
    DeliveryConsumer,
    ExecutionConsumer,
    IncidentsController,
    PositionConsumer,
    PriceConsumer,
    WalletConsumer,
    WatchedProtocolsController,
    WebhookConsumer,
    WhaleConsumer,
  ],
  providers: [
    AlertGroups,
    AlertGroupsPoller,
    AlertGroupsRepository,
    AccountsRepository,
    AlertSettingsRepository,
    AlertSettingsService,
    AlertsRepository,
    AssetAlerts,
    AssetAlertsRepository,
    AssetConditions,
    AssetConditionsRepository,
    Clock,
    Depegs,
    DepegsRepository,
    DueOpeningsPoller,
    EndpointAlerts,
    EndpointAlertsRepository,
    EvaluationService,
    ExecutionAlerts,
    ExecutionAlertsRepository,
    ExecutionLookup,
    ExecutionsRepository,
    ExpiryPoller,
    HistoryCleaner,
    HistoryRepository,
    HoldingChanges,
    IncidentsReader,
    IncidentsRepository,
    IncidentsService,
    PositionAlertsRepository,
    PositionLookup,
    PositionsRepository,
    PriceMinutesRepository,
    PriceRules,
    PricesRepository,
    PrismaService,
    RiskLookup,
    RiskPoller,
    RiskRepository,
    RuleWriter,
    RulesRepository,
    RulesService,
    SilencePoller,
    PendingNotificationsPoller,
    WatchedProtocolsRepository,
    WatchesRepository,
    WebhookLookup,
    WhaleAlerts,
    WhaleAlertsRepository,
    PendingMovesRepository,
    WhaleNotificationsPoller,
    ...idempotencyProviders(),
  ],
})
export class AppModule {}
