import { Module } from '@nestjs/common';
import { PriceMinutesRepository } from './price-minutes.repository';
import { PricesRepository } from './prices.repository';

/** Market prices and their history. */
@Module({
  providers: [PriceMinutesRepository, PricesRepository],
  exports: [PriceMinutesRepository, PricesRepository],
})
export class PricesModule {}
