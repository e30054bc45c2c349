import { Module } from '@nestjs/common';
import { FiguresModule } from '../figures/figures.module';
import { WalletsModule } from '../wallets/wallets.module';
import { AlertConsumer } from './alert.consumer';
import { OpenAlertsRepository } from './open-alerts.repository';
import { WalletListController } from './wallet-list.controller';
import { WalletListService } from './wallet-list.service';

/** The list of watched wallets with their figures and alerts. */
@Module({
  imports: [FiguresModule, WalletsModule],
  controllers: [AlertConsumer, WalletListController],
  providers: [OpenAlertsRepository, WalletListService],
})
export class WalletListModule {}
