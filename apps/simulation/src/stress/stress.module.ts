import { Module } from '@nestjs/common';
import { LossesModule } from '../losses/losses.module';
import { PositionModule } from '../position/position.module';
import { StressTestService } from './stress-test.service';

/** Stress tests with historical and given scenarios. */
@Module({
  imports: [LossesModule, PositionModule],
  providers: [StressTestService],
  exports: [StressTestService],
})
export class StressModule {}
