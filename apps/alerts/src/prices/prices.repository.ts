import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, replacing, runBulk, selectSql } from '../infrastructure/bulk-rows';
import type { AssetPrice } from './asset-price';

const COLUMNS = columns<AssetPrice>({
  text: ['asset'],
  int: ['sources'],
  float8: ['priceUsd', 'spreadPercent'],
  boolean: ['isStale'],
  time: ['observedAtMs', 'publishedAtMs', 'silentAtMs'],
});
const SELECTED = selectSql(COLUMNS);
const SAVE = insertSql('prices', COLUMNS, replacing(COLUMNS, ['asset']));

/** Stores the latest price of each asset. */
@Injectable()
export class PricesRepository {
  /** Returns and locks the stored prices, in a fixed order, so that two batches cannot block each other. */
  async lock(tx: SqlExecutor, assets: readonly string[]): Promise<Map<string, AssetPrice>> {
    const { rows } = await tx.query<AssetPrice>(
      `SELECT ${SELECTED} FROM prices WHERE asset = ANY($1) ORDER BY asset FOR UPDATE`,
      [assets],
    );
    return new Map(rows.map((row) => [row.asset, row]));
  }

  async find(tx: SqlExecutor, assets: readonly string[]): Promise<Map<string, AssetPrice>> {
    const { rows } = await tx.query<AssetPrice>(`SELECT ${SELECTED} FROM prices WHERE asset = ANY($1)`, [
      assets,
    ]);
    return new Map(rows.map((row) => [row.asset, row]));
  }

  /** At most one for each asset. */
  async save(tx: SqlExecutor, prices: readonly AssetPrice[]): Promise<void> {
    await runBulk(tx, SAVE, COLUMNS, prices);
  }

  /** Returns fresh prices in USD by asset. */
  async fresh(tx: SqlExecutor, assets: readonly string[]): Promise<Record<string, number>> {
    const { rows } = await tx.query<AssetPrice>(
      'SELECT asset, price_usd AS "priceUsd" FROM prices WHERE asset = ANY($1) AND NOT is_stale',
      [assets],
    );
    return Object.fromEntries(rows.map(({ asset, priceUsd }) => [asset, priceUsd]));
  }

  /**
   * Marks prices without an event in time as stale. Returns and locks them. A price that went stale during
   * the cooldown of its alert is returned again after the cooldown.
   */
  async silence(tx: SqlExecutor, nowMs: number, cooldownMs: number): Promise<AssetPrice[]> {
    const { rows } = await tx.query<AssetPrice>(
      `UPDATE prices SET is_stale = true WHERE asset IN (
         SELECT asset FROM prices WHERE silent_at <= to_timestamp($1::float8 / 1000) AND (NOT is_stale OR EXISTS (
           SELECT 1 FROM asset_conditions AS condition WHERE condition.asset = prices.asset AND type = 'oracle_stale'
             AND severity IS NULL AND cleared_at <= to_timestamp($2::float8 / 1000)))
         ORDER BY asset FOR UPDATE SKIP LOCKED)
       RETURNING ${SELECTED}`,
      [nowMs, nowMs - cooldownMs],
    );
    return rows;
  }
}
