import { Module } from '@nestjs/common';
import { ProtocolClasses } from './protocol-classes';

/** The classes of each protocol, from which the terms of a liquidation and its risk follow. */
@Module({
  providers: [ProtocolClasses],
  exports: [ProtocolClasses],
})
export class LossesModule {}
