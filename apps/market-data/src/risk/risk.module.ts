import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { ExposureModule } from '../exposure/exposure.module';
import { HistoryModule } from '../history/history.module';
import { LeadershipModule } from '../leadership/leadership.module';
import { PricesModule } from '../prices/prices.module';
import { IndexInputsReader } from './index-inputs';
import { IndexKeeper } from './index-keeper';
import { RiskController } from './risk.controller';
import { RiskRepository } from './risk.repository';

/** The risk index and the health of the market. */
@Module({
  imports: [ChainsModule, ExposureModule, HistoryModule, LeadershipModule, PricesModule],
  controllers: [RiskController],
  providers: [IndexInputsReader, IndexKeeper, RiskRepository],
})
export class RiskModule {}
