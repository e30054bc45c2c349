import { Module } from '@nestjs/common';
import { BandsModule } from '../bands/bands.module';
import { ChainsModule } from '../chains/chains.module';
import { TrackingModule } from '../tracking/tracking.module';
import { VerificationModule } from '../verification/verification.module';
import { FiguresReader } from './figures-reader';

/** Figures of any wallet at the newest block. */
@Module({
  imports: [BandsModule, ChainsModule, TrackingModule, VerificationModule],
  providers: [FiguresReader],
  exports: [FiguresReader],
})
export class FiguresModule {}
