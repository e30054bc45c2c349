import { Module } from '@nestjs/common';
import { MarketModule } from '../market/market.module';
import { PositionModule } from '../position/position.module';
import { SimulateModule } from '../simulate/simulate.module';
import { DeleverageService } from './deleverage.service';
import { ForecastService } from './forecast.service';
import { PositionRiskController } from './position-risk.controller';
import { RiskScoreService } from './risk-score.service';
import { RiskTiers } from './risk-tiers';

/** Forecast, deleverage and risk score of one position. */
@Module({
  imports: [MarketModule, PositionModule, SimulateModule],
  controllers: [PositionRiskController],
  providers: [DeleverageService, ForecastService, RiskScoreService, RiskTiers],
})
export class PositionRiskModule {}
