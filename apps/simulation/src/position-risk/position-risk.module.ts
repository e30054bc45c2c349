import { Module } from '@nestjs/common';
import { LossesModule } from '../losses/losses.module';
import { MarketModule } from '../market/market.module';
import { PositionModule } from '../position/position.module';
import { SimulateModule } from '../simulate/simulate.module';
import { DeleverageService } from './deleverage.service';
import { ForecastService } from './forecast.service';
import { PositionRiskController } from './position-risk.controller';
import { RiskScoreService } from './risk-score.service';

/** Forecast, deleverage and risk score of one position. */
@Module({
  imports: [LossesModule, MarketModule, PositionModule, SimulateModule],
  controllers: [PositionRiskController],
  providers: [DeleverageService, ForecastService, RiskScoreService],
})
export class PositionRiskModule {}
