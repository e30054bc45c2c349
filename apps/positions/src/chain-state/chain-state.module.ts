import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { ChainStatePublisher } from './chain-state-publisher';

/** Publishes the state of every chain. */
@Module({
  imports: [ChainsModule],
  providers: [ChainStatePublisher],
})
export class ChainStateModule {}
