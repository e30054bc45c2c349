import { Inject, Injectable } from '@nestjs/common';
import type { RawPosition } from '@plimsoll/protocols';
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

/**
 * The index finds the newest snapshot of each wallet, so that the wallets of one account do not slow down the
 * others.
 */
const LIST = `
SELECT snapshot.* FROM watched_wallets AS watched CROSS JOIN LATERAL (
  SELECT position_id AS "positionId", at, block, health_factor_raw AS "healthFactorRaw",
    total_collateral_raw AS "totalCollateralRaw", total_debt_raw AS "totalDebtRaw", base_decimals AS "baseDecimals",
    usd_per_base_raw AS "usdPerBaseRaw"
  FROM position_snapshots
  WHERE wallet = watched.address AND at >= greatest($2, watched.watched_since)
    AND ($4::text IS NULL OR position_id = $4)
    AND ($5::timestamptz IS NULL OR (at, position_id) < ($5, $6::text))
  ORDER BY at DESC, position_id DESC LIMIT $7
) AS snapshot
WHERE account_id = $1 AND enabled AND ($3::text[] IS NULL OR address = ANY($3))
ORDER BY at DESC, "positionId" DESC LIMIT $7`;

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
  async list(
    { accountId, since, wallets, positionId }: SnapshotFilter,
    limit: number,
    after: SnapshotPosition | null,
  ): Promise<SnapshotRow[]> {
    const { rows } = await this.pool.query<SnapshotRow>(LIST, [
      accountId,
      since,
      wallets,
      positionId,
      after?.at ?? null,
      after?.positionId ?? null,
      limit,
    ]);
    return rows;
  }
}
