import { Module } from '@nestjs/common';
import { ProtocolFamilies } from './losses/protocol-families';
import { Covariances } from './market/covariances';
import { LogFollower } from './market/log-follower';
import { PriceHistories } from './market/price-histories';
import { RiskMetricsController } from './portfolio/risk-metrics.controller';
import { RiskMetricsService } from './portfolio/risk-metrics.service';
import { SimulationPool } from './pool/simulation-pool';
import { PositionSource } from './position/position-source';
import { DeleverageService } from './position-risk/deleverage.service';
import { ForecastService } from './position-risk/forecast.service';
import { PositionRiskController } from './position-risk/position-risk.controller';
import { RiskScoreService } from './position-risk/risk-score.service';
import { RiskTiers } from './position-risk/risk-tiers';
import { LiquidationForecaster } from './simulate/liquidation-forecaster';
import { MonteCarloService } from './simulate/monte-carlo.service';
import { SimulateController } from './simulate/simulate.controller';
import { WhatIfService } from './simulate/what-if.service';
import { StressTestService } from './stress/stress-test.service';

@Module({
  controllers: [PositionRiskController, RiskMetricsController, SimulateController],
  providers: [
    Covariances,
    DeleverageService,
    ForecastService,
    LiquidationForecaster,
    LogFollower,
    MonteCarloService,
    PositionSource,
    PriceHistories,
    ProtocolFamilies,
    RiskMetricsService,
    RiskScoreService,
    RiskTiers,
    SimulationPool,
    StressTestService,
    WhatIfService,
  ],
})
export class AppModule {}
