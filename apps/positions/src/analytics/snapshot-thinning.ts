import { Inject, Injectable } from '@nestjs/common';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool, type PoolClient } from 'pg';

const DAY_MS = 86_400_000;

/** From this age on, one snapshot of each position remains for each unit of time. */
const STEPS = [
  { unit: 'hour', column: 'hourly_until', afterDays: 7 },
  { unit: 'day', column: 'daily_until', afterDays: 90 },
] as const;
type Step = (typeof STEPS)[number];

/** Rows that are older than the step, and newer than the rows of the previous run. */
const THIN = `
WITH ranked AS (
  SELECT wallet, at, position_id,
    row_number() OVER (PARTITION BY position_id, date_trunc($3, at, 'UTC') ORDER BY at DESC) AS age_rank
  FROM position_snapshots WHERE at >= $1 AND at < $2
)
DELETE FROM position_snapshots AS old USING ranked
WHERE age_rank > 1 AND old.at >= $1 AND old.at < $2
  AND old.wallet = ranked.wallet AND old.at = ranked.at AND old.position_id = ranked.position_id`;

/** Keeps the last snapshot of each hour, and later of each day, of every position. */
@Injectable()
export class SnapshotThinning {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Does the due work, or nothing while another instance does it. @returns snapshots deleted */
  run(now: Date): Promise<number> {
    return inTransaction(this.pool, async (tx) => {
      let deleted = 0;
      for (const step of STEPS) deleted += await this.thin(tx, step, now);
      return deleted;
    });
  }

  private async thin(tx: PoolClient, { unit, column, afterDays }: Step, now: Date): Promise<number> {
    const { rows } = await tx.query<{ from: string; to: string }>(
      `SELECT ${column}::text AS from, date_trunc($2, $1::timestamptz, 'UTC')::text AS to
       FROM snapshot_thinning FOR UPDATE SKIP LOCKED`,
      [new Date(now.getTime() - afterDays * DAY_MS), unit],
    );
    const [due] = rows;
    if (!due || due.from === due.to) return 0;
    const { rowCount } = await tx.query(THIN, [due.from, due.to, unit]);
    await tx.query(`UPDATE snapshot_thinning SET ${column} = $1`, [due.to]);
    return rowCount ?? 0;
  }
}
