import { Module } from '@nestjs/common';
import { DatabaseModule, InnerNamesModule, migrationsFolder } from '@plimsoll/service-kit';
import { SimulationConfig } from './config';
import { PrismaClient } from './generated/prisma/client';
import { ExitLiquidityModule } from './exit-liquidity/exit-liquidity.module';
import { PortfolioModule } from './portfolio/portfolio.module';
import { PositionRiskModule } from './position-risk/position-risk.module';
import { SimulateModule } from './simulate/simulate.module';
import { TrackRecordModule } from './track-record/track-record.module';

@Module({
  imports: [
    DatabaseModule.forOptionalSchema('simulation', migrationsFolder(__dirname), { client: PrismaClient }),
    ExitLiquidityModule,
    PortfolioModule,
    PositionRiskModule,
    SimulateModule,
    TrackRecordModule,
    InnerNamesModule.using(SimulationConfig),
  ],
})
export class AppModule {}
