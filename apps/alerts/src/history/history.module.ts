import { Module } from '@nestjs/common';
import { IncidentsModule } from '../incidents/incidents.module';
import { PricesModule } from '../prices/prices.module';
import { HistoryCleaner } from './history-cleaner';
import { HistoryRepository } from './history.repository';

/** Past states, for previews of rules. */
@Module({
  imports: [IncidentsModule, PricesModule],
  providers: [HistoryCleaner, HistoryRepository],
  exports: [HistoryRepository],
})
export class HistoryModule {}
