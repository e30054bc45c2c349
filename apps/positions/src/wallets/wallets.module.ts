import { Module } from '@nestjs/common';
import { Idempotency, idempotencyProviders } from '@plimsoll/service-kit';
import { TrackingModule } from '../tracking/tracking.module';
import { AccountUpdatedConsumer } from './account-updated.consumer';
import { WalletGroupsController } from './wallet-groups.controller';
import { WalletGroupsRepository } from './wallet-groups.repository';
import { WalletsController } from './wallets.controller';
import { WalletsRepository } from './wallets.repository';
import { WalletsService } from './wallets.service';

/** Watched wallets and the caps of accounts. */
@Module({
  imports: [TrackingModule],
  controllers: [AccountUpdatedConsumer, WalletGroupsController, WalletsController],
  providers: [WalletGroupsRepository, WalletsRepository, WalletsService, ...idempotencyProviders()],
  exports: [Idempotency, WalletsRepository],
})
export class WalletsModule {}
