import { Module } from '@nestjs/common';
import { DueOpeningsRepository } from './due-openings.repository';
import { PositionsRepository } from './positions.repository';

/** The known state of positions. */
@Module({
  providers: [DueOpeningsRepository, PositionsRepository],
  exports: [DueOpeningsRepository, PositionsRepository],
})
export class PositionsModule {}
