import { Injectable } from '@nestjs/common';
import type { Correlation, ExecutionV1 } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { AlertLifecycle } from '../../lifecycle/alert-lifecycle.service';
import type { AlertSelection } from '../../lifecycle/alerts.repository';
import { ExpiryPoller } from '../../lifecycle/expiry.poller';
import { EXECUTION_ALERT_MS, type EndReason, endedText, failedText } from './execution-alert';

const type = 'execution_failed';

/** Opens and resolves alerts about failed executions, in the caller's transaction. */
@Injectable()
export class ExecutionAlerts {
  constructor(
    private readonly lifecycle: AlertLifecycle,
    private readonly clock: Clock,
    expiry: ExpiryPoller,
  ) {
    expiry.add({ condition: `type = '${type}'`, endedText: () => endedText('old') });
  }

  /**
   * Opens an alert unless one is active for the position and the same rule, or for requests.
   * @param ruleId the rule that requested it; null: a request did
   */
  failed(tx: SqlExecutor, event: ExecutionV1, ruleId: string | null, cause: Correlation): Promise<void> {
    const { accountId, positionId } = event;
    // The action to protect a position failed.
    const severity = 'high';
    const expiresAtMs = this.clock.now() + EXECUTION_ALERT_MS;
    const opening = { accountId, positionId, ruleId, type, severity, expiresAtMs, cause } as const;
    return this.lifecycle.openIfNone(tx, { ...opening, ...failedText(event) });
  }

  /** The position reached its target, so earlier failures no longer matter. */
  completed(tx: SqlExecutor, { accountId, positionId }: ExecutionV1): Promise<void> {
    return this.resolve(tx, { accountIds: [accountId], positionIds: [positionId] }, 'executed');
  }

  /** Rules that cleared and positions that are closed no longer need an execution. */
  async positionsChanged(
    tx: SqlExecutor,
    { clearedRuleIds, closedIds }: { clearedRuleIds: readonly string[]; closedIds: readonly string[] },
  ): Promise<void> {
    if (clearedRuleIds.length > 0) await this.resolve(tx, { ruleIds: clearedRuleIds }, 'rule_cleared');
    if (closedIds.length > 0) await this.resolve(tx, { positionIds: closedIds }, 'closed');
  }

  private async resolve(tx: SqlExecutor, of: AlertSelection, reason: EndReason): Promise<void> {
    const active = await this.lifecycle.active(tx, { ...of, type });
    const text = endedText(reason);
    await this.lifecycle.resolve(
      tx,
      active.map((alert) => ({ alert, text, cause: {} })),
    );
  }
}
