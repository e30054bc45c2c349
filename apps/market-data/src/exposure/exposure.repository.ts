import { Inject, Injectable } from '@nestjs/common';
import { type PositionV1, priceSymbol } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Pool } from 'pg';
import { debtsOf, isLiquidatableAtShock } from './stressed-debt';

/** Debt of an asset on a chain, over all tracked positions. */
export interface TrackedDebt {
  chainId: number;
  /** Named by priceSymbol. */
  asset: string;
  usd: number;
}

const SAVE = `
INSERT INTO tracked_positions AS known
  (id, sequence, chain_id, debt_usd, is_liquidatable_at_shock, debt_assets, debt_usds)
SELECT id, sequence, chain_id, debt_usd, endangered,
  ARRAY(SELECT jsonb_array_elements_text(assets)), ARRAY(SELECT jsonb_array_elements_text(usds)::float8)
FROM unnest($1::text[], $2::int[], $3::int[], $4::float8[], $5::boolean[], $6::jsonb[], $7::jsonb[])
  AS state (id, sequence, chain_id, debt_usd, endangered, assets, usds)
ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, debt_usd = excluded.debt_usd,
  is_liquidatable_at_shock = excluded.is_liquidatable_at_shock, debt_assets = excluded.debt_assets,
  debt_usds = excluded.debt_usds
  WHERE known.sequence < excluded.sequence`;

/** Debts of the tracked positions. */
@Injectable()
export class ExposureRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Saves at most one state of each position. An older state is ignored. */
  async save(tx: SqlExecutor, positions: readonly PositionV1[]): Promise<void> {
    if (positions.length === 0) return;
    const debts = positions.map(debtsOf);
    await tx.query({ name: 'save-exposure', text: SAVE }, [
      positions.map(({ id }) => id),
      positions.map(({ sequence }) => sequence),
      positions.map(({ chainId }) => chainId),
      debts.map(({ usds }) => usds.reduce((sum, usd) => sum + usd, 0)),
      positions.map(isLiquidatableAtShock),
      debts.map(({ assets }) => JSON.stringify(assets.map(priceSymbol))),
      debts.map(({ usds }) => JSON.stringify(usds)),
    ]);
  }

  async remove(tx: SqlExecutor, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await tx.query('DELETE FROM tracked_positions WHERE id = ANY($1)', [ids]);
  }

  /** Returns USD over all tracked positions. */
  async totals(): Promise<{ debtUsd: number; endangeredUsd: number }> {
    const { rows } = await this.pool.query<{ debtUsd: number; endangeredUsd: number }>(
      `SELECT coalesce(sum(debt_usd), 0) AS "debtUsd",
         coalesce(sum(debt_usd) FILTER (WHERE is_liquidatable_at_shock), 0) AS "endangeredUsd"
       FROM tracked_positions`,
    );
    return rows[0] ?? { debtUsd: 0, endangeredUsd: 0 };
  }

  async debts(): Promise<TrackedDebt[]> {
    const { rows } = await this.pool.query<TrackedDebt>(
      `SELECT chain_id AS "chainId", asset, sum(usd) AS usd
       FROM tracked_positions, unnest(debt_assets, debt_usds) AS debt (asset, usd) GROUP BY chain_id, asset`,
    );
    return rows;
  }
}
