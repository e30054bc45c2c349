import { Inject, Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client';
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

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {}

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
    const { count } = await this.prisma.operatorAlert.updateMany({
      where: { kind, subject, resolvedAt: null },
      data: { resolvedAt: new Date(nowMs) },
    });
    if (count === 1) this.logger.log({ msg: 'an operator alert is resolved', kind, subject });
  }

  /** Oldest first. */
  async listOpen(): Promise<OperatorAlert[]> {
    const rows = await this.prisma.operatorAlert.findMany({
      select: { kind: true, subject: true, detail: true, openedAt: true },
      where: { resolvedAt: null },
      orderBy: [{ openedAt: 'asc' }, { id: 'asc' }],
    });
    return rows.map((row) => ({ ...row, kind: row.kind as OperatorAlertKind }));
  }

  /** Every instance shows the same alerts. */
  async measure(): Promise<void> {
    const open = await this.listOpen();
    operatorAlertsOpen.reset();
    operatorAlertsOpen.set({ kind: 'calibration' }, open.length);
  }
}
