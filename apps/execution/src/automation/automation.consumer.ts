import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { AutomationV1 } from '@plimsoll/contracts';
import type { EventBatch, ReceivedEvent, SqlExecutor } from '@plimsoll/event-bus';
import { continueCorrelation, Clock } from '@plimsoll/service-kit';
import type { Address } from 'viem';
import { AuditRepository } from '../executions/audit.repository';
import { type ExecutionRow, UNPLANNED, UNSENT } from '../executions/execution-row';
import { ExecutionsRepository } from '../executions/executions.repository';
import { stepOf } from '../submission/attempts.service';
import { submitRow } from '../submission/submissions.repository';

type Requested = ReceivedEvent<AutomationV1> & { value: AutomationV1 };

/** Accepts the execution that a rule requests, or refuses it while another is in flight for the position. */
@Controller()
export class AutomationConsumer {
  constructor(
    private readonly executions: ExecutionsRepository,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  @EventPattern('automation.v1')
  async handle(@Payload() { events, tx }: EventBatch<AutomationV1>): Promise<void> {
    const asked = events.filter((event): event is Requested => event.value !== null);
    // The inbox expires. This check ensures that an execution exists once under the id of its rule event.
    const known = await this.executions.existing(
      tx,
      asked.map(({ value }) => value.executionId),
    );
    const fresh = asked.filter(({ value }) => !known.has(value.executionId));
    // Sorted by position, so that two batches never deadlock.
    for (const event of fresh.toSorted(byPosition)) await this.handleRequest(tx, event);
  }

  private async handleRequest(tx: SqlExecutor, { value, requestId, traceparent }: Requested): Promise<void> {
    const atMs = this.clock.now();
    const isSecond = await this.executions.isInFlight(tx, value.position.id);
    const row = isSecond ? refused(rowOf(value, atMs)) : rowOf(value, atMs);
    const { code = 'accepted', message = null } = row.failure ?? {};
    await this.executions.insert(tx, row);
    await submitRow(tx, row, continueCorrelation(requestId, traceparent));
    const steps = [stepOf('accepted', atMs, null, null)];
    if (isSecond) steps.push(stepOf('failed', atMs, null, message));
    await this.executions.addSteps(tx, row.id, steps);
    const { executionId, accountId, ruleId, position, triggeredAt: _triggered, ...rest } = value;
    await this.audit.write(
      {
        identity: { accountId, keyId: ruleId, requestId: requestId ?? '' },
        action: 'deleverage.rule',
        positionId: position.id,
        executionId,
        outcome: code,
        asked: rest,
        atMs,
      },
      tx,
    );
  }
}

function byPosition(a: Requested, b: Requested): number {
  return a.value.position.id < b.value.position.id ? -1 : Number(a.value.position.id > b.value.position.id);
}

function rowOf(value: AutomationV1, atMs: number): ExecutionRow {
  const { executionId, accountId, ruleId, position, strategy, targetHealthFactor, maxSlippageBps } = value;
  const { id: positionId, protocol, chainId, market, subId = null, wallet } = position;
  return {
    id: executionId,
    accountId,
    ruleId,
    positionId,
    mode: 'submit',
    dryRun: value.dryRun,
    strategy,
    status: 'pending',
    protocol,
    chainId,
    market,
    subId,
    wallet: wallet as Address,
    targetHealthFactor,
    maxSlippageBps,
    asset: null,
    deadlineMs: Date.parse(value.deadline),
    plan: UNPLANNED,
    ...UNSENT,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
}

function refused(row: ExecutionRow): ExecutionRow {
  const message = 'Another execution for this position was under way.';
  return { ...row, status: 'failed', failure: { code: 'in_flight', message } };
}
