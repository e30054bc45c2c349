import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import type { AssetAlert, AssetHolder } from './asset-alert';

/** Reads and writes alerts about assets, and reads the holders of assets. */
@Injectable()
export class AssetAlertsRepository {
  /**
   * Serialises changes of holders with changes of conditions on assets, so that each sees the other. A
   * transaction takes this lock last.
   */
  async lock(tx: SqlExecutor): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('plimsoll:alerts:holding', 0))`);
  }

  /**
   * Returns the accounts that watch a wallet with a position in the assets.
   * @param accountIds null: every account
   */
  async holders(
    tx: SqlExecutor,
    assets: readonly string[],
    accountIds: readonly string[] | null,
  ): Promise<AssetHolder[]> {
    const { rows } = await tx.query<AssetHolder>(
      `SELECT DISTINCT held.asset, w.account_id AS "accountId"
       FROM unnest($1::text[]) AS held (asset)
       JOIN positions AS p ON p.assets ? held.asset
       JOIN watches AS w ON w.wallet = p.wallet AND w.watching
       WHERE $2::text[] IS NULL OR w.account_id = ANY($2)`,
      [assets, accountIds],
    );
    return rows;
  }

  /** @param accountIds null: every account */
  async active(
    tx: SqlExecutor,
    assets: readonly string[],
    accountIds: readonly string[] | null,
  ): Promise<AssetAlert[]> {
    const { rows } = await tx.query<AssetAlert>(
      `SELECT id, account_id AS "accountId", asset, type, severity, title, message,
         confidence_score AS "confidenceScore", (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs"
       FROM alerts
       WHERE asset = ANY($1) AND resolved_at IS NULL AND ($2::text[] IS NULL OR account_id = ANY($2))`,
      [assets, accountIds],
    );
    return rows;
  }

  async insert(tx: SqlExecutor, alerts: readonly AssetAlert[]): Promise<void> {
    if (alerts.length === 0) return;
    await tx.query(
      `INSERT INTO alerts (id, account_id, asset, type, severity, title, message, confidence_score, created_at,
         content)
       SELECT id, account_id, asset, type, severity, title, message, confidence_score,
         to_timestamp(created_at_ms / 1000), content
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[],
         $9::float8[], string_to_array($10, E'\\n', '')::jsonb[])
         AS alert (id, account_id, asset, type, severity, title, message, confidence_score, created_at_ms, content)`,
      [
        alerts.map((alert) => alert.id),
        alerts.map((alert) => alert.accountId),
        alerts.map((alert) => alert.asset),
        alerts.map((alert) => alert.type),
        alerts.map((alert) => alert.severity),
        alerts.map((alert) => alert.title),
        alerts.map((alert) => alert.message),
        alerts.map((alert) => alert.confidenceScore),
        alerts.map((alert) => alert.createdAtMs),
        // One text is one parameter. Postgres would escape an array of documents character by character. JSON
        // contains no line feed.
        alerts.map((alert) => (alert.content ? JSON.stringify(alert.content) : '')).join('\n'),
      ],
    );
  }

  async resolve(tx: SqlExecutor, alertIds: readonly string[], nowMs: number): Promise<void> {
    if (alertIds.length === 0) return;
    await tx.query('UPDATE alerts SET resolved_at = to_timestamp($2::float8 / 1000) WHERE id = ANY($1)', [
      alertIds,
      nowMs,
    ]);
  }
}
