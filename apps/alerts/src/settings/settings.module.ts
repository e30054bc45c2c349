import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { EvaluationModule } from '../evaluation/evaluation.module';
import { PositionsModule } from '../positions/positions.module';
import { AlertSettingsController } from './alert-settings.controller';
import { AlertSettingsService } from './alert-settings.service';

/** Alert settings of accounts. */
@Module({
  imports: [AccountsModule, EvaluationModule, PositionsModule],
  controllers: [AlertSettingsController],
  providers: [AlertSettingsService],
})
export class SettingsModule {}
