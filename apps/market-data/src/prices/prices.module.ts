import { Module } from '@nestjs/common';
import { LeadershipModule } from '../leadership/leadership.module';
import { PriceBook } from './price-book';
import { PriceEngine } from './price-engine';
import { PriceStore } from './price-store';
import { PricesController } from './prices.controller';
import { PricesService } from './prices.service';
import { SourcePollers } from './source-pollers';

/** Polls the price sources, combines their quotes and publishes prices. */
@Module({
  imports: [LeadershipModule],
  controllers: [PricesController],
  providers: [PriceBook, PriceEngine, PriceStore, PricesService, SourcePollers],
  exports: [PriceBook],
})
export class PricesModule {}
