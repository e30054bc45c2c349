import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { PlannerService } from './planner.service';
import { PriceCheck } from './price-check';

/** Plans of executions, simulated on the newest block. */
@Module({
  imports: [ChainsModule],
  providers: [PlannerService, PriceCheck],
  exports: [PlannerService],
})
export class PlanningModule {}
