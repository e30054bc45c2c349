import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { ParameterChangeV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { ParameterChangesRepository } from './parameter-changes.repository';

/** Stores what governance announced. A poller opens and resolves the alerts. */
@Controller()
export class ParameterChangeConsumer {
  constructor(private readonly changes: ParameterChangesRepository) {}

  @EventPattern('parameter-change.v1')
  async handle(@Payload() { events, tx }: EventBatch<ParameterChangeV1>): Promise<void> {
    for (const { value } of events) if (value !== null) await this.changes.store(tx, value);
  }
}
