import { Injectable } from '@nestjs/common';
import { RISK_CONDITIONS } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Pool } from 'pg';
import { columns, runBulk, updateSql } from '../infrastructure/bulk-rows';
import type { RiskFigures } from '../positions/position-state';

interface PositionRisk extends RiskFigures {
  id: string;
}
const COLUMNS = columns<PositionRisk>({
  text: ['id'],
  float8: ['riskScore', 'liquidationProbability', 'liquidationProbabilityError'],
});
const SAVE = updateSql('positions', COLUMNS, ['id']);

/** Stores risk figures beside the state of positions. */
@Injectable()
export class RiskRepository {
  constructor(private readonly pool: Pool) {}

  /**
   * Claims open positions with an active rule on risk that were not requested within the interval, the oldest
   * first. No other instance requests them meanwhile, and a failed request does not delay the others.
   */
  async claim(nowMs: number, intervalMs: number, limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `UPDATE positions SET risk_at = to_timestamp($1::float8 / 1000) WHERE id IN (
         SELECT p.id FROM positions AS p
         WHERE NOT p.closed AND (p.risk_at IS NULL OR p.risk_at <= to_timestamp(($1::float8 - $2) / 1000)) AND EXISTS (
           SELECT 1 FROM rules WHERE rules.position_id = p.id AND is_active AND condition_type = ANY($3))
         ORDER BY p.risk_at NULLS FIRST LIMIT $4 FOR UPDATE OF p SKIP LOCKED)
       RETURNING id`,
      [nowMs, intervalMs, RISK_CONDITIONS, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** The caller has locked the positions. */
  async save(tx: SqlExecutor, figures: ReadonlyMap<string, RiskFigures>): Promise<void> {
    const risks = [...figures].map(([id, risk]) => ({ id, ...risk }));
    await runBulk(tx, SAVE, COLUMNS, risks);
  }
}
