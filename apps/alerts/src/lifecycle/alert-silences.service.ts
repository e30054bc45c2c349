import { Injectable } from '@nestjs/common';
import { type AlertItem, type AlertSilence, Problem, notFound } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Clock, currentCorrelation, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { WatchesRepository } from '../accounts/watches.repository';
import { PositionsRepository } from '../positions/positions.repository';
import { AlertLifecycle } from './alert-lifecycle.service';
import { AlertsRepository } from './alerts.repository';
import { ListAlertsRepository } from './list-alerts.repository';

/**
 * Silences alerts and ends silences. Each transaction holds the locks of an evaluation of the positions, so
 * that a change of an alert is either withheld before its silence ends, or published after it.
 */
@Injectable()
export class AlertSilences {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly watches: WatchesRepository,
    private readonly positions: PositionsRepository,
    private readonly alerts: AlertsRepository,
    private readonly list: ListAlertsRepository,
    private readonly lifecycle: AlertLifecycle,
  ) {}

  /**
   * Silences an active alert. It replaces another silence of it.
   * @param untilMs null: until it is unmuted
   * @throws not_found; conflict for a resolved alert
   */
  silence(accountId: string, id: string, silence: AlertSilence, untilMs: number | null): Promise<AlertItem> {
    return this.change(accountId, id, async (tx) => {
      // An alert without a position may resolve at this moment, because no lock of an evaluation protects it.
      if (!(await this.alerts.silence(tx, id, silence, untilMs)))
        throw new Problem(
          'conflict',
          'This alert is resolved and has no more changes. Read GET /v1/alerts for active ones.',
        );
    });
  }

  /**
   * Has no effect on an alert without a silence of this kind.
   * @throws not_found
   */
  end(accountId: string, id: string, silence: AlertSilence): Promise<AlertItem> {
    return this.change(accountId, id, (tx) =>
      this.lifecycle.endSilences(tx, [id], { silence, dueMs: null }, currentCorrelation()),
    );
  }

  /**
   * Ends snoozes whose time is over.
   * @returns whether more may be over
   */
  async endDue(limit: number): Promise<boolean> {
    const dueMs = this.clock.now();
    const due = await this.alerts.snoozedUntil(this.pool, dueMs, limit);
    if (due.length === 0) return false;
    await inTransaction(this.pool, async (tx) => {
      await this.lock(
        tx,
        due.flatMap(({ positionId }) => positionId ?? []),
      );
      const ids = due.map(({ id }) => id);
      // An account may have extended a snooze meanwhile.
      await this.lifecycle.endSilences(tx, ids, { silence: 'snoozed', dueMs }, {});
    });
    return due.length === limit;
  }

  private change(accountId: string, id: string, run: (tx: SqlExecutor) => Promise<void>): Promise<AlertItem> {
    return inTransaction(this.pool, async (tx) => {
      const known = await this.alerts.positionOf(tx, accountId, id);
      if (known === null) throw notFound('alert');
      await this.lock(tx, known.positionId === null ? [] : [known.positionId]);
      await run(tx);
      return this.list.one(tx, accountId, id);
    });
  }

  private async lock(tx: SqlExecutor, positionIds: readonly string[]): Promise<void> {
    await this.watches.lockForReading(tx);
    if (positionIds.length > 0) await this.positions.lockStates(tx, positionIds);
  }
}
