import { Inject, Injectable } from '@nestjs/common';
import { type WhaleActivityItem, type WhaleAction, checksumAddress, unreadEffect } from '@plimsoll/contracts';
import { Conditions, type Statement } from '@plimsoll/service-kit';
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
    const { text, values } = listSql(filter, place, limit);
    return (await this.pool.query<PricedRow>(text, values)).rows;
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

/** The query of a page. Each filter has an index with the order of the list (`activity_of_…`, `activity_from_…`). */
function listSql(
  { wallet, protocol, chainId, action, minUsd, sinceMs }: ActivityFilter,
  place: ActivityCursor | null,
  limit: number,
): Statement {
  const conditions = new Conditions();
  conditions.where((least) => `usd >= ${least}`, minUsd);
  // Written as a literal, because an index with a condition only serves a query that states it.
  const indexedFrom = INDEXED_FROM_USD.find((usd) => usd <= minUsd);
  if (indexedFrom !== undefined) conditions.add(`usd >= ${indexedFrom}`);
  conditions.equal('wallet', wallet);
  conditions.equal('protocol', protocol);
  conditions.where((chain) => `chain_id = ${chain}::bigint`, chainId);
  conditions.equal('action', action);
  conditions.where((ms) => `at >= to_timestamp(${ms}::float8 / 1000)`, sinceMs);
  if (place) {
    const values = [place.atMs, place.block, place.logIndex, place.id];
    const [ms, block, logIndex, id] = values.map((value) => conditions.parameter(value));
    const last = `(to_timestamp(${ms}::float8 / 1000), ${block}::bigint, ${logIndex}::bigint, ${id})`;
    conditions.add(`(at, block, log_index, id) < ${last}`);
  }
  const text = `SELECT ${ACTIVITY_COLUMNS} FROM activity WHERE ${conditions.sql}
    ORDER BY at DESC, block DESC, log_index DESC, id DESC LIMIT ${conditions.parameter(limit)}`;
  return { text, values: conditions.values };
}
