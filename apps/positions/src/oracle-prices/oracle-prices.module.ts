import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { OraclePricesPublisher } from './oracle-prices-publisher';

/** Publishes the prices of the protocols' oracles. */
@Module({
  imports: [ChainsModule],
  providers: [OraclePricesPublisher],
})
export class OraclePricesModule {}
