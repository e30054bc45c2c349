import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { ExecutionV1 } from '@plimsoll/contracts';
import type { EventBatch, ReceivedEvent } from '@plimsoll/event-bus';
import { ExecutionsRepository } from '../rule/executions.repository';
import { ExecutionAlerts } from './execution-alerts.service';
import { isFailure, onchainProgress } from './onchain-progress';

type Received = ReceivedEvent<ExecutionV1> & { value: ExecutionV1 };

/**
 * Handles the progress of an execution on chain: updates the execution of a rule, and alerts the account of a
 * failed one.
 */
@Controller()
export class ExecutionConsumer {
  constructor(
    private readonly executions: ExecutionsRepository,
    private readonly alerts: ExecutionAlerts,
  ) {}

  @EventPattern('execution.v1')
  async handle(@Payload() { events, tx }: EventBatch<ExecutionV1>): Promise<void> {
    const received = events.filter((event): event is Received => event.value !== null);
    const advanced = await this.executions.advance(
      tx,
      received.map(({ value }) => onchainProgress(value)),
    );
    const rules = await this.executions.rulesOf(
      tx,
      received.map(({ value }) => value.executionId),
    );
    for (const event of received) {
      const { value } = event;
      const ruleId = rules.get(value.executionId) ?? null;
      // A repeated step of a rule's execution adds nothing, even when the inbox no longer has it.
      if (ruleId !== null && !advanced.has(value.executionId)) continue;
      if (isFailure(value)) await this.alerts.failed(tx, value, ruleId, event);
      else if (value.status === 'completed' && !value.dryRun) await this.alerts.completed(tx, value);
    }
  }
}
