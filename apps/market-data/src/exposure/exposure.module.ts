import { Module } from '@nestjs/common';
import { ExposureRepository } from './exposure.repository';
import { PositionConsumer } from './position.consumer';

/** The debt of all positions by health factor, from position.v1. */
@Module({
  controllers: [PositionConsumer],
  providers: [ExposureRepository],
  exports: [ExposureRepository],
})
export class ExposureModule {}
