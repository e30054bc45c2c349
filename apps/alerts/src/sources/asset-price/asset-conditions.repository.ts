import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import type { AssetCondition } from './asset-condition';

const COLUMNS = `asset, type, severity, title, message, last_severity AS "lastSeverity", move,
  (extract(epoch FROM cleared_at) * 1000)::float8 AS "clearedAtMs"`;

/** Stores the conditions on assets. */
@Injectable()
export class AssetConditionsRepository {
  /** Returns the conditions of those assets that ever had one. */
  async of(tx: SqlExecutor, assets: readonly string[]): Promise<AssetCondition[]> {
    const { rows } = await tx.query<AssetCondition>(
      `SELECT ${COLUMNS} FROM asset_conditions WHERE asset = ANY($1)`,
      [assets],
    );
    return rows;
  }

  /** Returns and locks the conditions, in a fixed order, so that two transactions cannot block each other. */
  async lock(tx: SqlExecutor, assets: readonly string[]): Promise<AssetCondition[]> {
    const { rows } = await tx.query<AssetCondition>(
      `SELECT ${COLUMNS} FROM asset_conditions WHERE asset = ANY($1) ORDER BY asset, type FOR UPDATE`,
      [assets],
    );
    return rows;
  }

  /**
   * Locks and returns the assets whose notifications are pending, without those that another transaction has
   * locked.
   */
  async lockPending(tx: SqlExecutor): Promise<string[]> {
    const { rows } = await tx.query<{ asset: string }>(
      'SELECT asset FROM asset_conditions WHERE is_telling ORDER BY asset, type FOR UPDATE SKIP LOCKED',
    );
    return [...new Set(rows.map(({ asset }) => asset))];
  }

  /**
   * Records whether notifications of the assets' holders are pending. The caller has locked the conditions.
   */
  async setPending(tx: SqlExecutor, assets: readonly string[], isPending: boolean): Promise<void> {
    await tx.query('UPDATE asset_conditions SET is_telling = $2 WHERE asset = ANY($1) AND is_telling <> $2', [
      assets,
      isPending,
    ]);
  }

  /** The caller has locked the prices of the assets. */
  async save(tx: SqlExecutor, conditions: readonly AssetCondition[]): Promise<void> {
    await tx.query(
      `INSERT INTO asset_conditions (asset, type, severity, title, message, last_severity, cleared_at, move)
       SELECT asset, type, severity, title, message, last_severity, to_timestamp(cleared_at_ms / 1000), move
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[],
         $8::jsonb[])
         AS condition (asset, type, severity, title, message, last_severity, cleared_at_ms, move)
       ON CONFLICT (asset, type) DO UPDATE SET
         severity = excluded.severity, title = excluded.title, message = excluded.message,
         last_severity = excluded.last_severity, cleared_at = excluded.cleared_at, move = excluded.move`,
      [
        conditions.map((each) => each.asset),
        conditions.map((each) => each.type),
        conditions.map((each) => each.severity),
        conditions.map((each) => each.title),
        conditions.map((each) => each.message),
        conditions.map((each) => each.lastSeverity),
        conditions.map((each) => each.clearedAtMs),
        conditions.map((each) => each.move && JSON.stringify(each.move)),
      ],
    );
  }
}
