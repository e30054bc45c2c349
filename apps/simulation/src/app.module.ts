import { Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { KafkaBatchServer } from '@plimsoll/event-bus';
import { DatabaseModule, eventBusOptions, migrationsFolder } from '@plimsoll/service-kit';
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
import { CalibrationKeeper } from './track-record/calibration-keeper';
import { ForecastMaker } from './track-record/forecast-maker';
import { ForecastModel } from './track-record/forecast-model';
import { ForecastsRepository } from './track-record/forecasts.repository';
import { OperatorAlerts } from './track-record/operator-alerts';
import { Panel } from './track-record/panel';
import { PositionConsumer } from './track-record/position.consumer';
import { RecordReader } from './track-record/record.reader';
import { GROUP_ID, TrackRecordTask } from './track-record/track-record-task';
import { TrackRecordController } from './track-record/track-record.controller';
import { TrackRecordService } from './track-record/track-record.service';
import { TrackedPositionsRepository } from './track-record/tracked-positions.repository';

const bus = eventBusOptions(GROUP_ID);

@Module({
  imports: [DatabaseModule.forOptionalSchema('simulation', migrationsFolder(__dirname)), DiscoveryModule],
  controllers: [
    PositionConsumer,
    PositionRiskController,
    RiskMetricsController,
    SimulateController,
    TrackRecordController,
  ],
  providers: [
    {
      provide: KafkaBatchServer,
      inject: [DiscoveryService, ...bus.inject],
      // The consumer uses the sequence of each position, and most events concern no tracked position.
      useFactory: (discovery: DiscoveryService, ...settings: Parameters<typeof bus.useFactory>) =>
        new KafkaBatchServer({ ...bus.useFactory(...settings), inbox: false }, discovery),
    },
    CalibrationKeeper,
    ForecastMaker,
    ForecastModel,
    ForecastsRepository,
    OperatorAlerts,
    Panel,
    RecordReader,
    TrackRecordService,
    TrackRecordTask,
    TrackedPositionsRepository,
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
