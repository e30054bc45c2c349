import { Module } from '@nestjs/common';
import { TrackingModule } from '../tracking/tracking.module';
import { WalletsModule } from '../wallets/wallets.module';
import { ImportNames } from './import-names';
import { WalletImporter } from './wallet-importer';
import { WalletImportsController } from './wallet-imports.controller';
import { WalletImportsRepository } from './wallet-imports.repository';

/** Imports of many wallets. */
@Module({
  imports: [TrackingModule, WalletsModule],
  controllers: [WalletImportsController],
  providers: [ImportNames, WalletImporter, WalletImportsRepository],
})
export class WalletImportsModule {}
