import { Inject, Injectable } from '@nestjs/common';
import { type WhaleActivityItem, type WhaleAction, checksumAddress, unreadEffect } from '@plimsoll/contracts';
import { Pool } from 'pg';
import type { ActivityRow } from '../activity-row';
import { ACTIVITY_COLUMNS } from '../indexing/activity-sql';

/** Filter of a list of activity. Null: any value. */
export interface ActivityFilter {
  wallet: string | null;
  protocol: string | null;
  chainId: number | null;
  action: WhaleAction | null;
  minUsd: number;
  sinceMs: number | null;
}

/** Where the previous page ended. */
export interface ActivityCursor {
  atMs: number;
  block: number;
  logIndex: number;
  id: string;
}

type PricedRow = ActivityRow & { usd: number };

/**
 * USD from which rows have an index of their own, so that a list of large moves does not read all small ones.
 */
const INDEXED_FROM_USD = [10_000_000, 1_000_000, 100_000, 10_000];
/** Rows that one statement deletes, so that the cleaner never holds locks for long. */
const DELETE_ROWS = 5_000;

/** Activity in lists. */
@Injectable()
export class ActivityRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Newest first, after the cursor. */
  async list(filter: ActivityFilter, place: ActivityCursor | null, limit: number): Promise<PricedRow[]> {
    const { wallet, protocol, chainId, action, minUsd, sinceMs } = filter;
    // Written as a literal, because an index with a condition only serves a query that states it.
    const indexedFrom = INDEXED_FROM_USD.find((usd) => usd <= minUsd);
    const { rows } = await this.pool.query<PricedRow>(
      `SELECT ${ACTIVITY_COLUMNS} FROM activity
       WHERE usd >= $1 ${indexedFrom === undefined ? '' : `AND usd >= ${indexedFrom}`} AND ($2::text IS NULL OR wallet = $2) AND ($3::text IS NULL OR protocol = $3)
         AND ($4::bigint IS NULL OR chain_id = $4) AND ($5::text IS NULL OR action = $5)
         AND ($6::float8 IS NULL OR at >= to_timestamp($6 / 1000))
         AND ($7::float8 IS NULL OR (at, block, log_index, id) < (to_timestamp($7 / 1000), $8, $9, $10))
       ORDER BY at DESC, block DESC, log_index DESC, id DESC LIMIT $11`,
      [
        minUsd,
        wallet,
        protocol,
        chainId,
        action,
        sinceMs,
        place?.atMs ?? null,
        place?.block ?? null,
        place?.logIndex ?? null,
        place?.id ?? null,
        limit,
      ],
    );
    return rows;
  }

  /** Deletes some of the older rows. Returns whether there may be more. */
  async forgetBefore(beforeMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `DELETE FROM activity WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM activity WHERE at < to_timestamp($1::float8 / 1000) ORDER BY at LIMIT ${DELETE_ROWS}))`,
      [beforeMs],
    );
    return rowCount === DELETE_ROWS;
  }
}

export function activityItem(row: PricedRow): WhaleActivityItem {
  const { subId: _subId, token, symbol, usd, atMs, context, ...rest } = row;
  return {
    ...rest,
    wallet: checksumAddress(row.wallet),
    counterparty: row.counterparty === null ? null : checksumAddress(row.counterparty),
    asset: symbol,
    assetAddress: checksumAddress(token),
    usdValue: usd,
    timestamp: new Date(atMs).toISOString(),
    counterpartyLabel: null,
    ...(context ?? unreadEffect('not_read')),
  };
}
