import { Inject, Injectable } from '@nestjs/common';
import type { RawPosition } from '@plimsoll/protocols';
import { Conditions, type Statement } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { netWorthUsdRaw } from '../amounts/totals-in-usd';
import { idOf } from '../figures/position-key';

/** A position at a past time. */
export interface SnapshotRow {
  positionId: string;
  at: Date;
  block: string;
  healthFactorRaw: string | null;
  totalCollateralRaw: string;
  totalDebtRaw: string;
  baseDecimals: number;
  usdPerBaseRaw: string;
}

/** The end of a page of the list. */
export interface SnapshotPosition {
  at: Date;
  positionId: string;
}

/** The filter of a snapshot query. */
export interface SnapshotFilter {
  accountId: string;
  since: Date;
  /** Null: all wallets that the account watches. */
  wallets: readonly string[] | null;
  positionId: string | null;
}

const ADD = `
INSERT INTO position_snapshots (position_id, wallet, at, block, health_factor_raw, total_collateral_raw, total_debt_raw,
  base_decimals, usd_per_base_raw, net_worth_usd_raw)
SELECT id, wallet, clock_timestamp(), block, health_factor_raw, collateral_raw, debt_raw, decimals, rate, net_worth
FROM unnest($2::text[], $3::text[], $4::bigint[], $5::numeric[], $6::numeric[], $7::numeric[], $8::smallint[], $9::numeric[],
    $10::numeric[])
  AS held (id, wallet, block, health_factor_raw, collateral_raw, debt_raw, decimals, rate, net_worth)
WHERE NOT EXISTS (
  SELECT FROM position_snapshots AS known
  WHERE known.wallet = held.wallet AND known.position_id = held.id AND known.at >= $1
)
ORDER BY id ON CONFLICT DO NOTHING`;

const CHUNK = 1_000;

/** Snapshots of positions. The position store writes those at a change together with the change. */
@Injectable()
export class SnapshotsRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Stores the positions that have no snapshot since a moment. */
  async addMissing(since: Date, positions: readonly RawPosition[]): Promise<void> {
    for (let from = 0; from < positions.length; from += CHUNK) {
      const part = positions.slice(from, from + CHUNK);
      await this.pool.query(ADD, [
        since,
        part.map(idOf),
        part.map(({ wallet }) => wallet.toLowerCase()),
        part.map(({ blockNumber }) => String(blockNumber)),
        part.map(({ healthFactorRaw }) => healthFactorRaw?.toString() ?? null),
        part.map(({ totalCollateralRaw }) => String(totalCollateralRaw)),
        part.map(({ totalDebtRaw }) => String(totalDebtRaw)),
        part.map(({ priceDecimals }) => priceDecimals),
        part.map(({ usdPerBaseRaw }) => String(usdPerBaseRaw ?? 0n)),
        part.map((position) => netWorthUsdRaw(position)?.toString() ?? null),
      ]);
    }
  }

  /** Newest first. Only wallets that the account watches, and only since it watches them. */
  async list(filter: SnapshotFilter, limit: number, after: SnapshotPosition | null): Promise<SnapshotRow[]> {
    const { text, values } = listSql(filter, limit, after);
    return (await this.pool.query<SnapshotRow>(text, values)).rows;
  }
}

/**
 * The query of a page. The index finds the newest snapshots of each wallet, so that the wallets of one account do not slow
 * down the others. The snapshots of a position are those of its wallet.
 */
function listSql(
  { accountId, since, wallets, positionId }: SnapshotFilter,
  limit: number,
  after: SnapshotPosition | null,
): Statement {
  const ofWallets = new Conditions();
  ofWallets.equal('account_id', accountId);
  ofWallets.add('enabled');
  ofWallets.where((given) => `address = ANY(${given})`, wallets);
  const { values } = ofWallets;
  const parameter = (value: unknown): string => ofWallets.parameter(value);
  const ofSnapshots = [
    'wallet = watched.address',
    `at >= greatest(${parameter(since)}, watched.watched_since)`,
  ];
  if (positionId !== null) {
    const id = parameter(positionId);
    ofWallets.add(`address = (SELECT wallet FROM position_keys WHERE id = ${id})`);
    ofSnapshots.push(`position_id = ${id}`);
  }
  if (after) ofSnapshots.push(`(at, position_id) < (${parameter(after.at)}, ${parameter(after.positionId)})`);
  const most = parameter(limit);
  const text = `
WITH watched AS MATERIALIZED (SELECT address, watched_since FROM watched_wallets WHERE ${ofWallets.sql})
SELECT snapshot.* FROM watched CROSS JOIN LATERAL (
  SELECT position_id AS "positionId", at, block, health_factor_raw AS "healthFactorRaw",
    total_collateral_raw AS "totalCollateralRaw", total_debt_raw AS "totalDebtRaw", base_decimals AS "baseDecimals",
    usd_per_base_raw AS "usdPerBaseRaw"
  FROM position_snapshots WHERE ${ofSnapshots.join(' AND ')} ORDER BY at DESC, position_id DESC LIMIT ${most}
) AS snapshot
ORDER BY at DESC, "positionId" DESC LIMIT ${most}`;
  return { text, values };
}
