import { Module } from '@nestjs/common';
import { PositionsModule } from '../positions/positions.module';
import { HistoryController } from './history.controller';
import { HistoryRepository } from './history.repository';
import { HistoryService } from './history.service';

/** Net worth and health factor over time. */
@Module({
  imports: [PositionsModule],
  controllers: [HistoryController],
  providers: [HistoryRepository, HistoryService],
})
export class HistoryModule {}
