import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import type { PositionState } from '../positions/position-state';
import type { HistoricState } from './historic-state';

export const HISTORY_STEP_MS = 60_000;
/** A history of thirty days with one state a minute has at most this many. */
const MOST_STATES = 43_200;
/** Most rows that one statement deletes, to keep locks short. */
const DELETE_ROWS = 5_000;

/** Stores past states of positions: the last one of each minute. */
@Injectable()
export class HistoryRepository {
  /** Adds states in order. Omits states of early releases without a block. */
  async add(tx: SqlExecutor, states: readonly PositionState[]): Promise<void> {
    const ofMinute = new Map<string, { state: PositionState; minute: number; atMs: number; block: number }>();
    for (const state of states) {
      const { id, block, blockAtMs: atMs } = state;
      if (block === null || atMs === null) continue;
      const minute = Math.floor(atMs / HISTORY_STEP_MS);
      ofMinute.set(`${id} ${minute}`, { state, minute, atMs, block });
    }
    const rows = [...ofMinute.values()];
    if (rows.length === 0) return;
    await tx.query(
      `INSERT INTO position_history (position_id, minute, at, block, health_factor, collateral_usd, debt_usd, prices,
         closed, risk_score, liquidation_probability)
       SELECT position_id, minute, to_timestamp(at_ms / 1000), block, health_factor, collateral_usd, debt_usd, prices,
         closed, risk_score, liquidation_probability
       FROM unnest($1::text[], $2::bigint[], $3::float8[], $4::bigint[], $5::float8[], $6::float8[], $7::float8[],
         $8::jsonb[], $9::boolean[], $10::float8[], $11::float8[])
         AS state (position_id, minute, at_ms, block, health_factor, collateral_usd, debt_usd, prices, closed,
           risk_score, liquidation_probability)
       ORDER BY position_id, minute
       ON CONFLICT (position_id, minute) DO UPDATE SET
         at = excluded.at, block = excluded.block, health_factor = excluded.health_factor,
         collateral_usd = excluded.collateral_usd, debt_usd = excluded.debt_usd, prices = excluded.prices,
         closed = excluded.closed, risk_score = excluded.risk_score,
         liquidation_probability = excluded.liquidation_probability`,
      [
        rows.map(({ state }) => state.id),
        rows.map(({ minute }) => minute),
        rows.map(({ atMs }) => atMs),
        rows.map(({ block }) => block),
        rows.map(({ state }) => state.healthFactor),
        rows.map(({ state }) => state.collateralUsd),
        rows.map(({ state }) => state.debtUsd),
        rows.map(({ state }) => JSON.stringify(state.holdings.prices)),
        rows.map(({ state }) => state.closed),
        rows.map(({ state }) => state.riskScore),
        rows.map(({ state }) => state.liquidationProbability),
      ],
    );
  }

  /** Oldest first. */
  async of(tx: SqlExecutor, positionId: string): Promise<HistoricState[]> {
    const { rows } = await tx.query<HistoricState>(
      `SELECT (extract(epoch FROM at) * 1000)::float8 AS "atMs", block::float8 AS block,
         health_factor AS "healthFactor", collateral_usd AS "collateralUsd", debt_usd AS "debtUsd", closed,
         ARRAY(SELECT jsonb_object_keys(prices)) AS symbols, '{}'::jsonb AS prices,
         risk_score AS "riskScore", liquidation_probability AS "liquidationProbability"
       FROM position_history WHERE position_id = $1 ORDER BY minute LIMIT ${MOST_STATES}`,
      [positionId],
    );
    return rows;
  }

  /** Deletes some of the older rows. Returns whether more may remain. */
  async forgetBefore(tx: SqlExecutor, beforeMs: number): Promise<boolean> {
    const { rowCount } = await tx.query(
      `DELETE FROM position_history WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM position_history WHERE minute < $1::bigint LIMIT ${DELETE_ROWS}))`,
      [Math.floor(beforeMs / HISTORY_STEP_MS)],
    );
    return rowCount === DELETE_ROWS;
  }
}
