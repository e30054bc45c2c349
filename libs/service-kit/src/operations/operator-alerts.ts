import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Gauge } from 'prom-client';

/** A finding that an operator must look at. */
export interface OperatorAlert {
  kind: string;
  /** The subject, unique among the open alerts of a kind. */
  subject: string;
  /** The finding, for people. */
  detail: string;
  /** The next step. Empty for an alert of an earlier release. */
  remedy: string;
  openedAt: Date;
}

/** The part of a pool or of its client that runs statements. */
interface Statements {
  query(sql: string, values: unknown[]): Promise<{ rowCount: number | null }>;
}

/**
 * The alerts for operators of one service: each is a row of `operator_alerts` in its schema, a value of its metric, an
 * entry of /operator-alerts on the port for operators, and one error in the log when it opens.
 */
export class OperatorAlerts {
  private readonly logger = new Logger('operator-alert');

  /**
   * @param gauge the number of open alerts by `kind`
   * @param kinds those of the service, so that the metric has a value without an alert too
   */
  constructor(
    private readonly pool: Pool,
    private readonly gauge: Gauge<'kind'>,
    private readonly kinds: readonly string[],
  ) {}

  /**
   * Opens the alert, unless one of its kind and subject is open.
   * @param statements of the transaction that it belongs to; default: none
   */
  async open(alert: OperatorAlert, statements: Statements = this.pool): Promise<void> {
    const { kind, subject, detail, remedy, openedAt } = alert;
    const { rowCount } = await statements.query(
      `INSERT INTO operator_alerts (kind, subject, detail, remedy, opened_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (kind, subject) WHERE resolved_at IS NULL DO NOTHING`,
      [kind, subject, detail, remedy, openedAt],
    );
    if (rowCount === 1) this.logger.error({ msg: `${detail} ${remedy}`, kind, subject });
  }

  /** Resolves the open alert, if there is one. */
  async resolve(
    kind: string,
    subject: string,
    nowMs: number,
    statements: Statements = this.pool,
  ): Promise<void> {
    const { rowCount } = await statements.query(
      `UPDATE operator_alerts SET resolved_at = $3 WHERE kind = $1 AND subject = $2 AND resolved_at IS NULL`,
      [kind, subject, new Date(nowMs)],
    );
    if (rowCount === 1) this.logger.log({ msg: 'an operator alert is resolved', kind, subject });
  }

  /** Oldest first. */
  async listOpen(): Promise<OperatorAlert[]> {
    const { rows } = await this.pool.query<OperatorAlert>(
      `SELECT kind, subject, detail, remedy, opened_at AS "openedAt" FROM operator_alerts
       WHERE resolved_at IS NULL ORDER BY opened_at, id`,
    );
    return rows;
  }

  /** Sets the metric. Every instance shows the same alerts. */
  async measure(): Promise<void> {
    const open = await this.listOpen();
    for (const kind of this.kinds)
      this.gauge.set({ kind }, open.filter((alert) => alert.kind === kind).length);
  }
}
