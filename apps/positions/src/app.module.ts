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
import { ChainsService } from './chains/chains.service';
import { PositionsConfig } from './config';
import { FiguresReader } from './figures/figures-reader';
import { PositionKeysRepository } from './positions/position-keys.repository';
import { PositionsController } from './positions/positions.controller';
import { PositionsService } from './positions/positions.service';
import { PrismaService } from './prisma.service';
import { RuleConsumer } from './rules/rule.consumer';
import { PositionStore } from './tracking/position-store';
import { TrackedWallets } from './tracking/tracked-wallets';
import { AccountUpdatedConsumer } from './wallets/account-updated.consumer';
import { WalletsController } from './wallets/wallets.controller';
import { WalletsRepository } from './wallets/wallets.repository';
import { WalletsService } from './wallets/wallets.service';

@Module({
  imports: [
    DatabaseModule.forSchema('positions', migrationsFolder(__dirname)),
    EventBusModule.forRootAsync({
      inject: [PositionsConfig, Pool, PinoLogger, Health],
      useFactory: (
        config: PositionsConfig,
        pool: Pool,
        logger: PinoLogger,
        health: Health,
      ): EventBusOptions => ({
        ...kafkaSettings(config),
        clientId: 'positions',
        groupId: 'positions',
        pool,
        logger,
        health,
      }),
    }),
  ],
  controllers: [WalletsController, PositionsController, AccountUpdatedConsumer, RuleConsumer],
  providers: [
    PrismaService,
    WalletsRepository,
    WalletsService,
    TrackedWallets,
    PositionStore,
    ChainsService,
    FiguresReader,
    PositionKeysRepository,
    PositionsService,
    ...idempotencyProviders(),
  ],
})
export class AppModule {}
