import { Module } from '@nestjs/common';
import { AccountsRepository } from './accounts.repository';
import { AlertSettingsRepository } from './alert-settings.repository';
import { WatchesRepository } from './watches.repository';

/** The watched wallets, settings and tier limits of accounts. */
@Module({
  providers: [AccountsRepository, AlertSettingsRepository, WatchesRepository],
  exports: [AccountsRepository, AlertSettingsRepository, WatchesRepository],
})
export class AccountsModule {}
