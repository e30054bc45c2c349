import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { DANGER_TYPES } from '../positions/danger-level';
import type { ContractFigures } from '../positions/holdings';
import { figuresOf } from '../positions/stored-figures';

/** A position that a depeg may affect. */
export interface DepegHolder {
  id: string;
  healthFactor: number;
  /** Null for a state that an earlier release stored. */
  figures: ContractFigures | null;
  /** True while it has an active depeg alert. */
  isOpen: boolean;
}

type DepegHolderRow = Omit<DepegHolder, 'figures'> & {
  figures: string | null;
  sequence: number;
  /** As an earlier release stored them. */
  earlier: ContractFigures | null;
};

/** The last holder of a page. */
export type HolderCursor = Pick<DepegHolder, 'id' | 'healthFactor'>;

@Injectable()
export class DepegsRepository {
  /** Positions with an active depeg alert. */
  async open(tx: SqlExecutor): Promise<string[]> {
    const { rows } = await tx.query<{ id: string }>(
      `SELECT position_id AS id FROM alerts
       WHERE resolved_at IS NULL AND content -> 'cause' ->> 'kind' = 'depeg' AND type = ANY($1)`,
      [DANGER_TYPES],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Returns open positions of watched wallets with debt that hold one of `moved`, and that hold no asset
   * outside `group` or are in `open`, by health factor.
   * @param after the last holder of the page before; null: the first page
   */
  async holders(
    tx: SqlExecutor,
    moved: readonly string[],
    group: readonly string[],
    open: readonly string[],
    after: HolderCursor | null,
    limit: number,
  ): Promise<DepegHolder[]> {
    const { rows } = await tx.query<DepegHolderRow>(
      `SELECT p.id, p.health_factor AS "healthFactor", p.figures, p.sequence::float8 AS sequence,
         p.holdings -> 'contract' AS earlier,
         p.id = ANY($3) AS "isOpen"
       FROM positions AS p
       WHERE p.assets ?| $1 AND (p.assets <@ $2::jsonb OR p.id = ANY($3)) AND NOT p.closed AND p.health_factor > 1
         AND (p.health_factor, p.id) > ($4::float8, $5::text)
         AND EXISTS (SELECT 1 FROM watches AS w WHERE w.wallet = p.wallet AND w.watching)
       ORDER BY p.health_factor, p.id LIMIT $6`,
      [moved, JSON.stringify(group), open, after?.healthFactor ?? 1, after?.id ?? '', limit],
    );
    return rows.map(({ figures, sequence, earlier, ...row }) => ({
      ...row,
      figures: figuresOf(figures, sequence) ?? earlier,
    }));
  }
}
