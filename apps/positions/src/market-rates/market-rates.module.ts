import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { MarketRatesController } from './market-rates.controller';
import { MarketRatesKeeper } from './market-rates-keeper';
import { MarketRatesRepository } from './market-rates.repository';
import { MarketRatesService } from './market-rates.service';
import { RatePartitions } from './rate-partitions';

/** Borrow and supply rates of the markets, now and by hour. */
@Module({
  imports: [ChainsModule],
  controllers: [MarketRatesController],
  providers: [MarketRatesKeeper, MarketRatesRepository, MarketRatesService, RatePartitions],
})
export class MarketRatesModule {}
