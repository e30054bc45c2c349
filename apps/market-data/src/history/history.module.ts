import { Module } from '@nestjs/common';
import { LeadershipModule } from '../leadership/leadership.module';
import { PricesModule } from '../prices/prices.module';
import { HistoryApis } from './history-apis';
import { HistoryFiller } from './history-filler';
import { HistoryKeeper } from './history-keeper';
import { HistoryController } from './history.controller';
import { HistoryRepository } from './history.repository';
import { HistoryService } from './history.service';

/** Daily price history and covariances. */
@Module({
  imports: [LeadershipModule, PricesModule],
  controllers: [HistoryController],
  providers: [HistoryApis, HistoryFiller, HistoryKeeper, HistoryRepository, HistoryService],
  exports: [HistoryRepository],
})
export class HistoryModule {}
