import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { LeadershipModule } from '../leadership/leadership.module';
import { ProtocolTvls } from './protocol-tvls';
import { ProtocolsController } from './protocols.controller';
import { ProtocolsService } from './protocols.service';
import { TvlReader } from './tvl-reader';

/** The protocols with their total value. */
@Module({
  imports: [ChainsModule, LeadershipModule],
  controllers: [ProtocolsController],
  providers: [ProtocolTvls, ProtocolsService, TvlReader],
})
export class ProtocolsModule {}
