import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Pool } from 'pg';

/** An active alert about a position of a wallet, in lower case. */
export interface OpenAlert {
  alertId: string;
  accountId: string;
  wallet: string;
}

/** Stores which alerts are active. */
@Injectable()
export class OpenAlertsRepository {
  constructor(private readonly pool: Pool) {}

  async open(tx: SqlExecutor, alerts: readonly OpenAlert[]): Promise<void> {
    if (alerts.length === 0) return;
    await tx.query(
      `INSERT INTO open_alerts (alert_id, account_id, wallet)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ORDER BY 1 ON CONFLICT DO NOTHING`,
      [
        alerts.map(({ alertId }) => alertId),
        alerts.map(({ accountId }) => accountId),
        alerts.map(({ wallet }) => wallet),
      ],
    );
  }

  async close(tx: SqlExecutor, alertIds: readonly string[]): Promise<void> {
    if (alertIds.length > 0) await tx.query('DELETE FROM open_alerts WHERE alert_id = ANY($1)', [alertIds]);
  }

  /** Wallets without an active alert are absent. */
  async countsOf(accountId: string, wallets: readonly string[]): Promise<Map<string, number>> {
    const { rows } = await this.pool.query<{ wallet: string; count: number }>(
      `SELECT wallet, count(*)::int AS count FROM open_alerts
       WHERE account_id = $1 AND wallet = ANY($2) GROUP BY wallet`,
      [accountId, wallets],
    );
    return new Map(rows.map(({ wallet, count }) => [wallet, count]));
  }
}
