import { Inject, Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { operatorAlertsOpen } from '../metrics';

/** `calibration`: the outcomes contradict the forecasts. */
export type OperatorAlertKind = 'calibration';

export interface OperatorAlert {
  kind: OperatorAlertKind;
  /** The subject, unique among the alerts of a kind. */
  subject: string;
  /** The finding, for people. */
  detail: string;
  openedAt: Date;
}

/** Findings for an operator: each is a row, a metric and one error in the log when it opens. */
@Injectable()
export class OperatorAlerts {
  private readonly logger = new Logger('operator-alert');

  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /**
   * Opens the alert, unless it is open already.
   * @param remedy the next step
   */
  async open(alert: OperatorAlert, remedy: string): Promise<void> {
    const { kind, subject, detail, openedAt } = alert;
    const { rowCount } = await this.pool.query(
      `INSERT INTO operator_alerts (kind, subject, detail, opened_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (kind, subject) WHERE resolved_at IS NULL DO NOTHING`,
      [kind, subject, detail, openedAt],
    );
    if (rowCount === 1) this.logger.error({ msg: `${detail} ${remedy}`, kind, subject });
  }

  async resolve(kind: OperatorAlertKind, subject: string, nowMs: number): Promise<void> {
    const { rowCount } = await this.pool.query(
      'UPDATE operator_alerts SET resolved_at = $3 WHERE kind = $1 AND subject = $2 AND resolved_at IS NULL',
      [kind, subject, new Date(nowMs)],
    );
    if (rowCount === 1) this.logger.log({ msg: 'an operator alert is resolved', kind, subject });
  }

  /** Oldest first. */
  async listOpen(): Promise<OperatorAlert[]> {
    const { rows } = await this.pool.query<OperatorAlert>(
      `SELECT kind, subject, detail, opened_at AS "openedAt" FROM operator_alerts
       WHERE resolved_at IS NULL ORDER BY opened_at, id`,
    );
    return rows;
  }

  /** Every instance shows the same alerts. */
  async measure(): Promise<void> {
    const open = await this.listOpen();
    operatorAlertsOpen.reset();
    operatorAlertsOpen.set({ kind: 'calibration' }, open.length);
  }
}
