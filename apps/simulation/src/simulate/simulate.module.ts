import { Module } from '@nestjs/common';
import { LossesModule } from '../losses/losses.module';
import { MarketModule } from '../market/market.module';
import { PoolModule } from '../pool/pool.module';
import { PositionModule } from '../position/position.module';
import { StressModule } from '../stress/stress.module';
import { ReceiptSource } from '../receipts/receipt-source';
import { LiquidationForecaster } from './liquidation-forecaster';
import { MonteCarloService } from './monte-carlo.service';
import { PortfolioSimulationService } from './portfolio-simulation.service';
import { PortfolioTurns } from './portfolio-turns';
import { SimulateController } from './simulate.controller';
import { WhatIfService } from './what-if.service';

/** What-if, Monte Carlo and stress tests of positions. */
@Module({
  imports: [LossesModule, MarketModule, PoolModule, PositionModule, StressModule],
  controllers: [SimulateController],
  providers: [
    LiquidationForecaster,
    MonteCarloService,
    PortfolioSimulationService,
    PortfolioTurns,
    ReceiptSource,
    WhatIfService,
  ],
  exports: [LiquidationForecaster, ReceiptSource],
})
export class SimulateModule {}
