import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { ExecutionV1 } from '@plimsoll/contracts';
import type { EventBatch, ReceivedEvent } from '@plimsoll/event-bus';
import { ExecutionsRepository } from '../automation/executions.repository';
import { ExecutionAlerts } from './execution-alerts.service';
import { isFailure, onchainProgress } from './onchain-progress';

type Told = ReceivedEvent<ExecutionV1> & { value: ExecutionV1 };

/** An execution on chain came further: that of a rule follows it, and one that failed alerts its account. */
@Controller()
export class ExecutionConsumer {
  constructor(
    private readonly executions: ExecutionsRepository,
    private readonly alerts: ExecutionAlerts,
  ) {}

  @EventPattern('execution.v1')
  async handle(@Payload() { events, tx }: EventBatch<ExecutionV1>): Promise<void> {
    const told = events.filter((event): event is Told => event.value !== null);
    const advanced = await this.executions.advance(
      tx,
      told.map(({ value }) => onchainProgress(value)),
    );
    const rules = await this.executions.rulesOf(
      tx,
      told.map(({ value }) => value.executionId),
    );
    for (const event of told) {
      const { value } = event;
      const ruleId = rules.get(value.executionId) ?? null;
      // A step of a rule's execution that comes again tells nothing new, though the inbox may have forgotten it.
      if (ruleId !== null && !advanced.has(value.executionId)) continue;
      if (isFailure(value)) await this.alerts.failed(tx, value, ruleId, event);
      else if (value.status === 'completed' && !value.dryRun) await this.alerts.completed(tx, value);
    }
  }
}
