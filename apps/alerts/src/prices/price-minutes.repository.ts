import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { PRICE_STEP_MS, type PriceMinute } from './price-window';

const COLUMNS = `asset, minute::float8 AS minute, high, low, close, (extract(epoch FROM at) * 1000)::float8 AS "atMs"`;
/** Minutes of thirty days. */
const MOST_MINUTES = 43_200;
/** Most rows that one statement deletes, to keep locks short. */
const DELETE_ROWS = 5_000;

/** Stores the prices of assets by minute, for moves and for previews of rules. */
@Injectable()
export class PriceMinutesRepository {
  /** Returns the minutes in order, from that of `sinceMs`. */
  async since(tx: SqlExecutor, assets: readonly string[], sinceMs: number): Promise<PriceMinute[]> {
    const { rows } = await tx.query<PriceMinute>(
      `SELECT ${COLUMNS} FROM price_minutes WHERE asset = ANY($1) AND minute >= $2 ORDER BY minute
       LIMIT ${MOST_MINUTES}`,
      [assets, Math.floor(sinceMs / PRICE_STEP_MS)],
    );
    return rows;
  }

  async save(tx: SqlExecutor, minutes: readonly PriceMinute[]): Promise<void> {
    if (minutes.length === 0) return;
    await tx.query(
      `INSERT INTO price_minutes (asset, minute, high, low, close, at)
       SELECT asset, minute, high, low, close, to_timestamp(at_ms / 1000)
       FROM unnest($1::text[], $2::bigint[], $3::float8[], $4::float8[], $5::float8[], $6::float8[])
         AS price (asset, minute, high, low, close, at_ms)
       ORDER BY asset, minute
       ON CONFLICT (asset, minute) DO UPDATE SET
         high = excluded.high, low = excluded.low, close = excluded.close, at = excluded.at`,
      [
        minutes.map((each) => each.asset),
        minutes.map((each) => each.minute),
        minutes.map((each) => each.high),
        minutes.map((each) => each.low),
        minutes.map((each) => each.close),
        minutes.map((each) => each.atMs),
      ],
    );
  }

  /** Deletes some of the older rows. Returns whether more may remain. */
  async forgetBefore(tx: SqlExecutor, beforeMs: number): Promise<boolean> {
    const { rowCount } = await tx.query(
      `DELETE FROM price_minutes WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM price_minutes WHERE minute < $1::bigint LIMIT ${DELETE_ROWS}))`,
      [Math.floor(beforeMs / PRICE_STEP_MS)],
    );
    return rowCount === DELETE_ROWS;
  }
}
