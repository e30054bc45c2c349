import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, replacing, runBulk, selectSql } from '../infrastructure/bulk-rows';
import { PRICE_STEP_MS, type PriceMinute } from './price-window';

/** Minutes of thirty days. */
const MOST_MINUTES = 43_200;
/** Most rows that one statement deletes, to keep locks short. */
const DELETE_ROWS = 5_000;

const COLUMNS = columns<PriceMinute>({
  text: ['asset'],
  bigint: ['minute'],
  float8: ['high', 'low', 'close'],
  time: ['atMs'],
});
const SELECTED = selectSql(COLUMNS);
const SAVE = insertSql('price_minutes', COLUMNS, replacing(COLUMNS, ['asset', 'minute']));

/** Stores the prices of assets by minute, for moves and for previews of rules. */
@Injectable()
export class PriceMinutesRepository {
  /** Returns the minutes in order, from that of `sinceMs`. */
  async since(tx: SqlExecutor, assets: readonly string[], sinceMs: number): Promise<PriceMinute[]> {
    const { rows } = await tx.query<PriceMinute>(
      `SELECT ${SELECTED} FROM price_minutes WHERE asset = ANY($1) AND minute >= $2 ORDER BY minute
       LIMIT ${MOST_MINUTES}`,
      [assets, Math.floor(sinceMs / PRICE_STEP_MS)],
    );
    return rows;
  }

  async save(tx: SqlExecutor, minutes: readonly PriceMinute[]): Promise<void> {
    await runBulk(tx, SAVE, COLUMNS, minutes);
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
