import { Module } from '@nestjs/common';
import { EventBusModule } from '@plimsoll/event-bus';
import { DatabaseModule, InnerNamesModule, eventBusOptions, migrationsFolder } from '@plimsoll/service-kit';
import { AutomationModule } from './automation/automation.module';
import { AlertsConfig } from './config';
import { EvaluationModule } from './evaluation/evaluation.module';
import { PrismaClient } from './generated/prisma/client';
import { HistoryModule } from './history/history.module';
import { IncidentsModule } from './incidents/incidents.module';
import { LifecycleModule } from './lifecycle/lifecycle.module';
import { SettingsModule } from './settings/settings.module';
import { AssetPriceModule } from './sources/asset-price/asset-price.module';
import { EndpointModule } from './sources/endpoint/endpoint.module';
import { ExecutionModule } from './sources/execution/execution.module';
import { OraclePriceModule } from './sources/oracle-price/oracle-price.module';
import { ParameterChangeModule } from './sources/parameter-change/parameter-change.module';
import { WhaleModule } from './sources/whale/whale.module';

@Module({
  imports: [
    DatabaseModule.forSchema('alerts', migrationsFolder(__dirname), { client: PrismaClient }),
    EventBusModule.forRootAsync(eventBusOptions('alerts')),
    AssetPriceModule,
    AutomationModule,
    EndpointModule,
    EvaluationModule,
    ExecutionModule,
    HistoryModule,
    IncidentsModule,
    LifecycleModule,
    OraclePriceModule,
    ParameterChangeModule,
    SettingsModule,
    WhaleModule,
    InnerNamesModule.using(AlertsConfig),
  ],
})
export class AppModule {}
