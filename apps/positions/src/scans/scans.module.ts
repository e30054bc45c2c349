import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { FiguresModule } from '../figures/figures.module';
import { PositionsModule } from '../positions/positions.module';
import { ScansController } from './scans.controller';
import { ScansService } from './scans.service';

/** Positions of any wallets: one scan, or a batch. */
@Module({
  imports: [ChainsModule, FiguresModule, PositionsModule],
  controllers: [ScansController],
  providers: [ScansService],
})
export class ScansModule {}
