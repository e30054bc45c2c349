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
import { ExpiryPoller } from './alerts/expiry.poller';
import { PositionAlertsRepository } from './alerts/position-alerts.repository';
import { AssetAlerts } from './asset-alerts/asset-alerts.service';
import { AssetAlertsRepository } from './asset-alerts/asset-alerts.repository';
import { AssetConditions } from './asset-alerts/asset-conditions.service';
import { AssetConditionsRepository } from './asset-alerts/asset-conditions.repository';
import { HoldingChanges } from './asset-alerts/holding-changes';
import { PendingNotificationsPoller } from './asset-alerts/pending-notifications.poller';
import { AutomationController } from './automation/automation.controller';
import { ExecutionsRepository } from './automation/executions.repository';
import { RuleWriter } from './automation/rule-writer';
import { RulesRepository } from './automation/rules.repository';
import { RulesService } from './automation/rules.service';
import { Clock } from './clock';
import { AlertsConfig } from './config';
import { Depegs } from './depegs/depegs.service';
import { DepegsRepository } from './depegs/depegs.repository';
import { DeliveryConsumer } from './endpoints/delivery.consumer';
import { EndpointAlertsRepository } from './endpoints/endpoint-alerts.repository';
import { EndpointAlerts } from './endpoints/endpoint-alerts.service';
import { WebhookConsumer } from './endpoints/webhook.consumer';
import { DueOpeningsPoller } from './evaluation/due-openings.poller';
import { EvaluationService } from './evaluation/evaluation.service';
import { PositionConsumer } from './evaluation/position.consumer';
import { PositionsRepository } from './evaluation/positions.repository';
import { ExecutionAlertsRepository } from './execution-alerts/execution-alerts.repository';
import { ExecutionAlerts } from './execution-alerts/execution-alerts.service';
import { ExecutionConsumer } from './execution-alerts/execution.consumer';
import { AlertGroupsPoller } from './groups/alert-groups.poller';
import { AlertGroupsRepository } from './groups/alert-groups.repository';
import { AlertGroups } from './groups/alert-groups.service';
import { HistoryCleaner } from './history/history-cleaner';
import { HistoryRepository } from './history/history.repository';
import { IncidentsController } from './incidents/incidents.controller';
import { IncidentsReader } from './incidents/incidents.reader';
import { IncidentsRepository } from './incidents/incidents.repository';
import { IncidentsService } from './incidents/incidents.service';
import { PriceConsumer } from './prices/price.consumer';
import { PriceMinutesRepository } from './prices/price-minutes.repository';
import { PriceRules } from './prices/price-rules.service';
import { PricesRepository } from './prices/prices.repository';
import { SilencePoller } from './prices/silence.poller';
import { PrismaService } from './prisma.service';
import { RiskPoller } from './risk/risk-poller';
import { RiskRepository } from './risk/risk.repository';
import { ExecutionLookup } from './upstream/execution-lookup';
import { PositionLookup } from './upstream/position-lookup';
import { RiskLookup } from './upstream/risk-lookup';
import { WebhookLookup } from './upstream/webhook-lookup';
import { WalletConsumer } from './watching/wallet.consumer';
import { WatchedProtocolsController } from './watched-protocols/watched-protocols.controller';
import { WatchedProtocolsRepository } from './watched-protocols/watched-protocols.repository';
import { WatchesRepository } from './watching/watches.repository';
import { AlertSettingsController } from './settings/alert-settings.controller';
import { AlertSettingsRepository } from './settings/alert-settings.repository';
import { AlertSettingsService } from './settings/alert-settings.service';
import { PendingMovesRepository } from './whale-alerts/pending-moves.repository';
import { WhaleAlerts } from './whale-alerts/whale-alerts.service';
import { WhaleAlertsRepository } from './whale-alerts/whale-alerts.repository';
import { WhaleConsumer } from './whale-alerts/whale.consumer';
import { WhaleNotificationsPoller } from './whale-alerts/whale-notifications.poller';

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
