import { Module } from '@nestjs/common';
import { PositionModule } from '../position/position.module';
import { ExitLiquidityController } from './exit-liquidity.controller';

/** Amounts that can be sold at a price impact. */
@Module({
  imports: [PositionModule],
  controllers: [ExitLiquidityController],
})
export class ExitLiquidityModule {}
