import { Module } from '@nestjs/common';
import { BandsModule } from '../bands/bands.module';
import { IndexingModule } from '../indexing/indexing.module';
import { TrackingModule } from '../tracking/tracking.module';
import { VerificationModule } from '../verification/verification.module';
import { ChainsService } from './chains.service';

/** Follows every configured chain. */
@Module({
  imports: [BandsModule, IndexingModule, TrackingModule, VerificationModule],
  providers: [ChainsService],
  exports: [ChainsService],
})
export class ChainsModule {}
