import { Module } from '@nestjs/common';
import { PositionSource } from './position-source';

/** The position behind an id. */
@Module({
  providers: [PositionSource],
  exports: [PositionSource],
})
export class PositionsModule {}
