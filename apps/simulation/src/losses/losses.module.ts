import { Module } from '@nestjs/common';
import { ProtocolFamilies } from './protocol-families';

/** The family of each protocol, from which the terms of a liquidation follow. */
@Module({
  providers: [ProtocolFamilies],
  exports: [ProtocolFamilies],
})
export class LossesModule {}
