import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, replacing, runBulk, selectSql } from '../../infrastructure/bulk-rows';
import type { AssetCondition } from './asset-condition';

const COLUMNS = columns<AssetCondition>({
  text: ['asset', 'type', 'severity', 'title', 'message', 'lastSeverity'],
  time: ['clearedAtMs', 'beganAtMs'],
  jsonb: ['move'],
});
const SELECTED = selectSql(COLUMNS);
const SAVE = insertSql('asset_conditions', COLUMNS, replacing(COLUMNS, ['asset', 'type']));

/** Stores the conditions on assets. */
@Injectable()
export class AssetConditionsRepository {
  /** Returns the conditions of those assets that ever had one. */
  async of(tx: SqlExecutor, assets: readonly string[]): Promise<AssetCondition[]> {
    const { rows } = await tx.query<AssetCondition>(
      `SELECT ${SELECTED} FROM asset_conditions WHERE asset = ANY($1)`,
      [assets],
    );
    return rows;
  }

  /** Returns and locks the conditions, in a fixed order, so that two transactions cannot block each other. */
  async lock(tx: SqlExecutor, assets: readonly string[]): Promise<AssetCondition[]> {
    const { rows } = await tx.query<AssetCondition>(
      `SELECT ${SELECTED} FROM asset_conditions WHERE asset = ANY($1) ORDER BY asset, type FOR UPDATE`,
      [assets],
    );
    return rows;
  }

  /** Returns whether notifications of an asset are pending. */
  async anyPending(db: SqlExecutor): Promise<boolean> {
    return (await db.query('SELECT 1 FROM asset_conditions WHERE is_telling LIMIT 1')).rows.length > 0;
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
    await runBulk(tx, SAVE, COLUMNS, conditions);
  }
}
