import { Module } from '@nestjs/common';
import { SimulationPool } from './simulation-pool';

/** Threads that simulate. */
@Module({
  providers: [SimulationPool],
  exports: [SimulationPool],
})
export class PoolModule {}
