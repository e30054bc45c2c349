import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { ChainV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { ChainStates } from './chain-states';

/** Stores the state of a chain: its head, its failing rows, the totals of its markets. */
@Controller()
export class ChainConsumer {
  constructor(private readonly chains: ChainStates) {}

  @EventPattern('chain.v1')
  async handle(@Payload() { events, tx }: EventBatch<ChainV1>): Promise<void> {
    const latest = new Map<string, ChainV1>();
    for (const { key, value } of events) if (value) latest.set(key, value);
    await this.chains.save(tx, [...latest.values()]);
  }
}
