import { Module } from '@nestjs/common';
import { MarketModule } from '../market/market.module';
import { PositionModule } from '../position/position.module';
import { RiskMetricsController } from './risk-metrics.controller';
import { RiskMetricsService } from './risk-metrics.service';

/** Risk metrics of a portfolio. */
@Module({
  imports: [MarketModule, PositionModule],
  controllers: [RiskMetricsController],
  providers: [RiskMetricsService],
})
export class PortfolioModule {}
