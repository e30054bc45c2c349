import { Injectable } from '@nestjs/common';
import { Conditions, type Statement } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { walletsOfGroup } from '../wallets/wallets.repository';
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

/** The wallets of a scope, and the values of the parameters. */
function watchedSql({ accountId, address, groupId }: HistoryScope): {
  watched: string;
  conditions: Conditions;
} {
  const conditions = new Conditions();
  const from = groupId === null ? 'watched_wallets' : walletsOfGroup(conditions.parameter(groupId));
  conditions.equal('account_id', accountId);
  conditions.add('enabled');
  conditions.equal('address', address);
  return { watched: `SELECT address, watched_since FROM ${from} WHERE ${conditions.sql}`, conditions };
}

/** A snapshot of a closed position has no collateral and no debt, and no other supplies. */
const IS_CLOSED = `total_collateral_raw = 0 AND total_debt_raw = 0 AND coalesce(net_worth_usd_raw, 0) = 0`;

/** The index finds the snapshots of each wallet in the range. */
export function samplesSql(scope: HistoryScope, from: Date, to: Date, bucket: string): Statement {
  const { watched, conditions } = watchedSql(scope);
  const [since, until] = [conditions.parameter(from), conditions.parameter(to)];
  const start = `date_trunc(${conditions.parameter(bucket)}, at, 'UTC')`;
  const ofPosition =
    scope.positionId === null ? '' : `AND position_id = ${conditions.parameter(scope.positionId)}`;
  const text = `
WITH watched AS MATERIALIZED (${watched})
SELECT sample.* FROM watched CROSS JOIN LATERAL (
  SELECT position_id AS "positionId", ${start} AS at, count(*)::int AS samples,
    min(health_factor_raw) AS "lowestHealthFactorRaw",
    (array_agg(net_worth_usd_raw ORDER BY at DESC))[1] AS "netWorthUsdRaw",
    (array_agg(${IS_CLOSED} ORDER BY at DESC))[1] AS "isClosed"
  FROM position_snapshots
  WHERE wallet = watched.address AND at >= greatest(${since}, watched.watched_since) AND at < ${until} ${ofPosition}
  GROUP BY position_id, ${start}
) AS sample`;
  return { text, values: conditions.values };
}

const lastSnapshot = (range: string): string => `(
  SELECT NOT (${IS_CLOSED}) AS is_open FROM position_snapshots AS snapshot
  WHERE snapshot.wallet = watched.address AND snapshot.position_id = position.id
    AND snapshot.at >= watched.watched_since AND snapshot.${range}
  ORDER BY at DESC LIMIT 1)`;

/**
 * Positions that were not closed before the range. The last snapshot before it states whether a position was open at its
 * start. Without one, a position counts as open since it was first seen: a gap may be stated where none is, and no
 * figure lacks a position. Most have a snapshot in the two days before, so Postgres does not read the older ones.
 * Indexes find the positions of each wallet: with OFFSET 0, Postgres does not read those of all accounts instead.
 */
export function knownSql(scope: HistoryScope, from: Date, to: Date): Statement {
  const { watched, conditions } = watchedSql(scope);
  const [since, until] = [`${conditions.parameter(from)}::timestamptz`, conditions.parameter(to)];
  const ofPosition = scope.positionId === null ? '' : `AND id = ${conditions.parameter(scope.positionId)}`;
  const text = `
WITH watched AS MATERIALIZED (${watched})
SELECT position.id, CASE before.is_open WHEN true THEN ${since} WHEN false THEN NULL
    ELSE greatest(first_seen_at, watched_since) END AS "openFrom"
FROM watched CROSS JOIN LATERAL (
  SELECT id FROM positions
  WHERE wallet = watched.address AND NOT (closed AND updated_at < ${since}) ${ofPosition} OFFSET 0
) AS position CROSS JOIN LATERAL (
  SELECT first_seen_at FROM position_keys WHERE position_keys.id = position.id AND first_seen_at < ${until} OFFSET 0
) AS key LEFT JOIN LATERAL (
  ${lastSnapshot(`at < ${since} AND snapshot.at >= ${since} - interval '2 days'`)}
  UNION ALL ${lastSnapshot(`at < ${since} - interval '2 days'`)} LIMIT 1
) AS before ON first_seen_at < ${since}`;
  return { text, values: conditions.values };
}

/** Reads the snapshots of watched wallets by buckets. */
@Injectable()
export class HistoryRepository {
  constructor(private readonly pool: Pool) {}

  async scope(scope: HistoryScope): Promise<WatchedScope> {
    const { watched, conditions } = watchedSql(scope);
    const { rows } = await this.pool.query<WatchedScope>(
      `SELECT count(*)::int AS wallets, min(watched_since) AS "watchedSince" FROM (${watched}) AS watched`,
      conditions.values,
    );
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
    const { text, values } = samplesSql(scope, from, to, bucket);
    const { rows } = await this.pool.query<SampleRow>(text, values);
    return rows.map(({ at, lowestHealthFactorRaw, netWorthUsdRaw, ...rest }) => ({
      ...rest,
      atMs: at.getTime(),
      lowestHealthFactorRaw: lowestHealthFactorRaw === null ? null : BigInt(lowestHealthFactorRaw),
      netWorthUsdRaw: netWorthUsdRaw === null ? null : BigInt(netWorthUsdRaw),
    }));
  }

  async known(scope: HistoryScope, from: Date, to: Date): Promise<KnownPosition[]> {
    const { text, values } = knownSql(scope, from, to);
    const { rows } = await this.pool.query<{ id: string; openFrom: Date | null }>(text, values);
    return rows.map(({ id, openFrom }) => ({ id, openFromMs: openFrom?.getTime() ?? null }));
  }
}
