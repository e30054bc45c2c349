import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Leader } from '../leadership/leader';
import { Recent } from '../recent';
import type { TvlView } from './protocol-view';

const FRESH_MS = 5_000;
/** Older values are not used. The totals read on chain are shown instead. */
const MAX_AGE = `interval '6 hours'`;

/** Values of DefiLlama by protocol. */
@Injectable()
export class ProtocolTvls {
  private readonly recent: Recent<Map<string, TvlView>>;

  constructor(
    @Inject(Pool) pool: Pool,
    private readonly leader: Leader,
  ) {
    this.recent = new Recent(async () => {
      const { rows } = await pool.query<TvlView>(
        `SELECT protocol, tvl_usd AS "tvlUsd" FROM protocol_tvls WHERE observed_at > now() - ${MAX_AGE}`,
      );
      return new Map(rows.map((row) => [row.protocol, row]));
    }, FRESH_MS);
  }

  /** Returns the values by protocol id. */
  all(): Promise<Map<string, TvlView>> {
    return this.recent.get();
  }

  /** @throws NotLeadingError */
  async save({ protocol, tvlUsd }: TvlView): Promise<void> {
    await this.leader.transaction((tx) =>
      tx.query(
        `INSERT INTO protocol_tvls (protocol, tvl_usd, source, observed_at) VALUES ($1, $2, 'defillama', now())
         ON CONFLICT (protocol) DO UPDATE SET tvl_usd = excluded.tvl_usd, observed_at = excluded.observed_at`,
        [protocol, tvlUsd],
      ),
    );
  }
}
