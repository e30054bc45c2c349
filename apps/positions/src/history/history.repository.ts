import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { KnownPosition, Sample } from './history-item';

/** The watched wallets of a history. */
export interface HistoryScope {
  accountId: string;
  /** Null: every wallet. */
  address: string | null;
  /** Null: every group. */
  groupId: string | null;
  /** Null: every position. */
  positionId: string | null;
}

/** The number of the wallets, and when the account began to watch the first of them. */
export interface WatchedScope {
  wallets: number;
  watchedSince: Date | null;
}

interface SampleRow {
  positionId: string;
  at: Date;
  samples: number;
  lowestHealthFactorRaw: string | null;
  netWorthUsdRaw: string | null;
  isClosed: boolean;
}

const WATCHED = `account_id = $1 AND enabled AND ($2::text IS NULL OR address = $2)
  AND ($3::text IS NULL OR group_ids @> ARRAY[$3])`;

const SCOPE = `SELECT count(*)::int AS wallets, min(watched_since) AS "watchedSince" FROM watched_wallets WHERE ${WATCHED}`;

/** A snapshot of a closed position has no collateral and no debt, and no other supplies. */
const IS_CLOSED = `total_collateral_raw = 0 AND total_debt_raw = 0 AND coalesce(net_worth_usd_raw, 0) = 0`;

/** The index finds the snapshots of each wallet in the range. */
export const SAMPLES = `
SELECT sample.* FROM watched_wallets AS watched CROSS JOIN LATERAL (
  SELECT position_id AS "positionId", date_trunc($7, at, 'UTC') AS at, count(*)::int AS samples,
    min(health_factor_raw) AS "lowestHealthFactorRaw",
    (array_agg(net_worth_usd_raw ORDER BY at DESC))[1] AS "netWorthUsdRaw",
    (array_agg(${IS_CLOSED} ORDER BY at DESC))[1] AS "isClosed"
  FROM position_snapshots
  WHERE wallet = watched.address AND at >= greatest($5, watched.watched_since) AND at < $6
    AND ($4::text IS NULL OR position_id = $4)
  GROUP BY position_id, date_trunc($7, at, 'UTC')
) AS sample
WHERE ${WATCHED}`;

const lastSnapshot = (range: string): string => `(
  SELECT NOT (${IS_CLOSED}) AS is_open FROM position_snapshots AS snapshot
  WHERE snapshot.wallet = watched.address AND snapshot.position_id = position.id
    AND snapshot.at >= watched.watched_since AND snapshot.${range}
  ORDER BY at DESC LIMIT 1)`;

/**
 * Positions that were not closed before the range. The last snapshot before it states whether a position was open at its
 * start. Without one, a position counts as open since it was first seen: a gap may be stated where none is, and no
 * figure lacks a position. Most have a snapshot in the two days before, so Postgres does not read the older ones.
 */
export const KNOWN = `
SELECT position.id, CASE before.is_open WHEN true THEN $5::timestamptz WHEN false THEN NULL
    ELSE greatest(first_seen_at, watched_since) END AS "openFrom"
FROM watched_wallets AS watched
JOIN positions AS position ON position.wallet = watched.address
JOIN position_keys AS key ON key.id = position.id
LEFT JOIN LATERAL (
  ${lastSnapshot("at < $5 AND snapshot.at >= $5::timestamptz - interval '2 days'")}
  UNION ALL ${lastSnapshot("at < $5::timestamptz - interval '2 days'")} LIMIT 1
) AS before ON first_seen_at < $5
WHERE ${WATCHED} AND ($4::text IS NULL OR position.id = $4)
  AND first_seen_at < $6 AND NOT (closed AND position.updated_at < $5)`;

/** Reads the snapshots of watched wallets by buckets. */
@Injectable()
export class HistoryRepository {
  constructor(private readonly pool: Pool) {}

  async scope({ accountId, address, groupId }: HistoryScope): Promise<WatchedScope> {
    const { rows } = await this.pool.query<WatchedScope>(SCOPE, [accountId, address, groupId]);
    return rows[0] ?? { wallets: 0, watchedSince: null };
  }

  async hasGroup(accountId: string, id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'SELECT FROM wallet_groups WHERE account_id = $1 AND id = $2',
      [accountId, id],
    );
    return rowCount === 1;
  }

  /** One for each position and bucket with a snapshot. */
  async samples(scope: HistoryScope, from: Date, to: Date, bucket: string): Promise<Sample[]> {
    const { rows } = await this.pool.query<SampleRow>(SAMPLES, [...valuesOf(scope), from, to, bucket]);
    return rows.map(({ at, lowestHealthFactorRaw, netWorthUsdRaw, ...rest }) => ({
      ...rest,
      atMs: at.getTime(),
      lowestHealthFactorRaw: lowestHealthFactorRaw === null ? null : BigInt(lowestHealthFactorRaw),
      netWorthUsdRaw: netWorthUsdRaw === null ? null : BigInt(netWorthUsdRaw),
    }));
  }

  async known(scope: HistoryScope, from: Date, to: Date): Promise<KnownPosition[]> {
    const { rows } = await this.pool.query<{ id: string; openFrom: Date | null }>(KNOWN, [
      ...valuesOf(scope),
      from,
      to,
    ]);
    return rows.map(({ id, openFrom }) => ({ id, openFromMs: openFrom?.getTime() ?? null }));
  }
}

const valuesOf = ({ accountId, address, groupId, positionId }: HistoryScope): (string | null)[] => [
  accountId,
  address,
  groupId,
  positionId,
];
