import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client';
import type { Spending } from './spending';

const KEPT_DAYS = 31;

/** The model usage of each account on each day (UTC). */
@Injectable()
export class UsageRepository {
  constructor(
    private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {}

  /**
   * Adds to the day of an account in one step, from any number of processes. Entries older than a month are
   * deleted.
   * @param day `2026-11-22`
   * @returns false, with nothing added, when it would be more than `most`
   */
  async add(accountId: string, day: string, { tokens, nanoUsd }: Spending, most: Spending): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `WITH old AS (DELETE FROM model_usage WHERE account_id = $1 AND day < $2::date - ${KEPT_DAYS})
       INSERT INTO model_usage AS kept (account_id, day, tokens, nano_usd)
       SELECT $1, $2::date, $3::bigint, $4::numeric WHERE $3::bigint <= $5::bigint AND $4::numeric <= $6::numeric
       ON CONFLICT (account_id, day) DO UPDATE
         SET tokens = kept.tokens + excluded.tokens, nano_usd = kept.nano_usd + excluded.nano_usd
         WHERE kept.tokens + excluded.tokens <= $5::bigint AND kept.nano_usd + excluded.nano_usd <= $6::numeric`,
      [accountId, day, tokens, nanoUsd.toString(), most.tokens, most.nanoUsd.toString()],
    );
    return rowCount === 1;
  }

  /** Subtracts the added tokens that were not used. */
  async subtract(accountId: string, day: string, { tokens, nanoUsd }: Spending): Promise<void> {
    await this.prisma.modelUsage.updateMany({
      where: { accountId, day: new Date(day) },
      data: { tokens: { decrement: tokens }, nanoUsd: { decrement: nanoUsd.toString() } },
    });
  }
}
