import { Controller, Get } from '@nestjs/common';
import type { ChainConditions } from '@plimsoll/contracts';
import { Clock, WithoutIdentity } from '@plimsoll/service-kit';
import { chainConditions } from './chain-conditions';
import { ChainStates } from './chain-states';
import { Registry } from './registry';

/** For the status that the gateway records, and serves to everyone. It does not route here. */
@Controller('inner/chains')
@WithoutIdentity()
export class InnerChainsController {
  constructor(
    private readonly registry: Registry,
    private readonly states: ChainStates,
    private readonly clock: Clock,
  ) {}

  @Get()
  async list(): Promise<ChainConditions> {
    return chainConditions(this.registry, await this.states.all(), this.clock.now());
  }
}
