import { Module } from '@nestjs/common';
import { Leader } from './leader';
import { LeaseRepository } from './lease.repository';

/** Chooses the one instance that reads sources and writes. */
@Module({
  providers: [Leader, LeaseRepository],
  exports: [Leader],
})
export class LeadershipModule {}
