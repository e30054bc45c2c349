import { Module } from '@nestjs/common';
import { PositionSource } from './position-source';

/** Positions of the positions service, with the identity of the caller. */
@Module({
  providers: [PositionSource],
  exports: [PositionSource],
})
export class PositionModule {}
