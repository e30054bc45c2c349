import { Module } from '@nestjs/common';
import { ChainStates } from './chain-states';
import { ChainConsumer } from './chain.consumer';
import { ChainsController } from './chains.controller';
import { InnerChainsController } from './inner-chains.controller';
import { Registry } from './registry';

/** The registry, and the state of each chain from chain.v1. */
@Module({
  controllers: [ChainConsumer, ChainsController, InnerChainsController],
  providers: [ChainStates, Registry],
  exports: [ChainStates, Registry],
})
export class ChainsModule {}
