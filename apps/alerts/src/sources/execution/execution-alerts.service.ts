import { Injectable } from '@nestjs/common';
import { type Correlation, type ExecutionV1, newId } from '@plimsoll/contracts';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { continueCorrelation } from '@plimsoll/service-kit';
import { Clock } from '../../clock';
import { PositionsRepository } from '../../positions/positions.repository';
import {
  type EndReason,
  type ExecutionAlert,
  endedText,
  executionAlertEvent,
  failedText,
} from './execution-alert';
import { ExecutionAlertsRepository } from './execution-alerts.repository';

/**
 * Opens and resolves alerts about failed executions. The alert.v1 event of each is part of the caller's
 * transaction.
 */
@Injectable()
export class ExecutionAlerts {
  constructor(
    private readonly repository: ExecutionAlertsRepository,
    private readonly positions: PositionsRepository,
    private readonly clock: Clock,
  ) {}

  /** @param ruleId the rule that requested it; null: a request did */
  async failed(
    tx: SqlExecutor,
    event: ExecutionV1,
    ruleId: string | null,
    cause: Correlation,
  ): Promise<void> {
    const { accountId, positionId } = event;
    const text = failedText(event);
    const createdAtMs = this.clock.now();
    const alert = { id: newId('alt'), accountId, positionId, ruleId, ...text, createdAtMs };
    if (!(await this.repository.insert(tx, alert))) return;
    const [position = null] = await this.positions.ofIds(tx, [positionId]);
    const value = executionAlertEvent(alert, text, position, null);
    await appendToOutbox(tx, [
      outgoing('alert.v1', value, continueCorrelation(cause.requestId, cause.traceparent)),
    ]);
  }

  /** The position reached its target, so earlier failures no longer matter. */
  async completed(tx: SqlExecutor, { accountId, positionId }: ExecutionV1): Promise<void> {
    const nowMs = this.clock.now();
    await this.publishResolved(
      tx,
      await this.repository.resolveOf(tx, nowMs, accountId, positionId),
      'executed',
      nowMs,
    );
  }

  /** Rules that cleared and positions that are closed no longer need an execution. */
  async positionsChanged(
    tx: SqlExecutor,
    { clearedRuleIds, closedIds }: { clearedRuleIds: readonly string[]; closedIds: readonly string[] },
  ): Promise<void> {
    const nowMs = this.clock.now();
    if (clearedRuleIds.length > 0)
      await this.publishResolved(
        tx,
        await this.repository.resolveOfRules(tx, nowMs, clearedRuleIds),
        'rule_cleared',
        nowMs,
      );
    if (closedIds.length > 0)
      await this.publishResolved(
        tx,
        await this.repository.resolveOfPositions(tx, nowMs, closedIds),
        'closed',
        nowMs,
      );
  }

  /** Returns true when more may remain. */
  async expire(tx: SqlExecutor, limit: number): Promise<boolean> {
    const nowMs = this.clock.now();
    const resolved = await this.repository.resolveExpired(tx, nowMs, limit);
    await this.publishResolved(tx, resolved, 'old', nowMs);
    return resolved.length === limit;
  }

  private async publishResolved(
    tx: SqlExecutor,
    alerts: readonly ExecutionAlert[],
    reason: EndReason,
    nowMs: number,
  ): Promise<void> {
    if (alerts.length === 0) return;
    const states = await this.positions.ofIds(tx, [...new Set(alerts.map(({ positionId }) => positionId))]);
    const known = new Map(states.map((state) => [state.id, state]));
    await appendToOutbox(
      tx,
      alerts.map((alert) => {
        const position = known.get(alert.positionId) ?? null;
        return outgoing('alert.v1', executionAlertEvent(alert, endedText(reason), position, nowMs));
      }),
    );
  }
}
