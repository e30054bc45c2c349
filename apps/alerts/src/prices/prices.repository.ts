import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { COOLDOWN_MS } from '../lifecycle/cooldown';
import type { AssetPrice } from './asset-price';

const COLUMNS = `asset, price_usd AS "priceUsd", sources, spread_percent AS "spreadPercent", is_stale AS "isStale",
  (extract(epoch FROM observed_at) * 1000)::float8 AS "observedAtMs",
  (extract(epoch FROM published_at) * 1000)::float8 AS "publishedAtMs",
  (extract(epoch FROM silent_at) * 1000)::float8 AS "silentAtMs"`;

/** Stores the latest price of each asset. */
@Injectable()
export class PricesRepository {
  /** Returns and locks the stored prices, in a fixed order, so that two batches cannot block each other. */
  async lock(tx: SqlExecutor, assets: readonly string[]): Promise<Map<string, AssetPrice>> {
    const { rows } = await tx.query<AssetPrice>(
      `SELECT ${COLUMNS} FROM prices WHERE asset = ANY($1) ORDER BY asset FOR UPDATE`,
      [assets],
    );
    return new Map(rows.map((row) => [row.asset, row]));
  }

  async find(tx: SqlExecutor, assets: readonly string[]): Promise<Map<string, AssetPrice>> {
    const { rows } = await tx.query<AssetPrice>(`SELECT ${COLUMNS} FROM prices WHERE asset = ANY($1)`, [
      assets,
    ]);
    return new Map(rows.map((row) => [row.asset, row]));
  }

  /** At most one for each asset. */
  async save(tx: SqlExecutor, prices: readonly AssetPrice[]): Promise<void> {
    await tx.query(
      `INSERT INTO prices AS known (asset, price_usd, spread_percent, is_stale, observed_at, published_at, silent_at, sources)
       SELECT asset, price_usd, spread_percent, is_stale, to_timestamp(observed_at_ms / 1000),
         to_timestamp(published_at_ms / 1000), to_timestamp(silent_at_ms / 1000), sources
       FROM unnest($1::text[], $2::float8[], $3::float8[], $4::boolean[], $5::float8[], $6::float8[], $7::float8[],
         $8::int[])
         AS price (asset, price_usd, spread_percent, is_stale, observed_at_ms, published_at_ms, silent_at_ms, sources)
       ORDER BY asset
       ON CONFLICT (asset) DO UPDATE SET
         price_usd = excluded.price_usd, spread_percent = excluded.spread_percent, is_stale = excluded.is_stale,
         observed_at = excluded.observed_at, published_at = excluded.published_at, silent_at = excluded.silent_at,
         sources = excluded.sources`,
      [
        prices.map((price) => price.asset),
        prices.map((price) => price.priceUsd),
        prices.map((price) => price.spreadPercent),
        prices.map((price) => price.isStale),
        prices.map((price) => price.observedAtMs),
        prices.map((price) => price.publishedAtMs),
        prices.map((price) => price.silentAtMs),
        prices.map((price) => price.sources),
      ],
    );
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
  async silence(tx: SqlExecutor, nowMs: number): Promise<AssetPrice[]> {
    const { rows } = await tx.query<AssetPrice>(
      `UPDATE prices SET is_stale = true WHERE asset IN (
         SELECT asset FROM prices WHERE silent_at <= to_timestamp($1::float8 / 1000) AND (NOT is_stale OR EXISTS (
           SELECT 1 FROM asset_conditions AS condition WHERE condition.asset = prices.asset AND type = 'oracle_stale'
             AND severity IS NULL AND cleared_at <= to_timestamp($2::float8 / 1000)))
         ORDER BY asset FOR UPDATE SKIP LOCKED)
       RETURNING ${COLUMNS}`,
      [nowMs, nowMs - COOLDOWN_MS],
    );
    return rows;
  }
}
