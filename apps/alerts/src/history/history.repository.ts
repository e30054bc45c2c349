import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, replacing, runBulk, selectSql } from '../infrastructure/bulk-rows';
import type { PositionState } from '../positions/position-state';
import type { HistoricState } from './market-history';

export const HISTORY_STEP_MS = 60_000;
/** A history of thirty days with one state a minute has at most this many. */
const MOST_STATES = 43_200;
/** Most rows that one statement deletes, to keep locks short. */
const DELETE_ROWS = 5_000;

interface MinuteState extends PositionState {
  minute: number;
  atMs: number;
}

const COLUMNS = columns<MinuteState>(
  {
    bigint: ['block'],
    float8: ['healthFactor', 'collateralUsd', 'debtUsd', 'riskScore', 'liquidationProbability'],
    boolean: ['closed'],
    time: ['atMs'],
  },
  {
    position_id: ['text', ({ id }) => id],
    minute: ['bigint', ({ minute }) => minute],
    prices: ['jsonb', ({ holdings }) => holdings.prices],
  },
);
const ADD = insertSql('position_history', COLUMNS, replacing(COLUMNS, ['position_id', 'minute']));

/** Stores past states of positions: the last one of each minute. */
@Injectable()
export class HistoryRepository {
  /** Adds states in order. Omits states of early releases without a block. */
  async add(tx: SqlExecutor, states: readonly PositionState[]): Promise<void> {
    const ofMinute = new Map<string, MinuteState>();
    for (const state of states) {
      const { id, block, blockAtMs: atMs } = state;
      if (block === null || atMs === null) continue;
      const minute = Math.floor(atMs / HISTORY_STEP_MS);
      ofMinute.set(`${id} ${minute}`, { ...state, minute, atMs });
    }
    await runBulk(tx, ADD, COLUMNS, [...ofMinute.values()]);
  }

  /** Oldest first. */
  async of(tx: SqlExecutor, positionId: string): Promise<HistoricState[]> {
    const { rows } = await tx.query<HistoricState>(
      `SELECT ${selectSql(COLUMNS)}, ARRAY(SELECT jsonb_object_keys(prices)) AS symbols, '{}'::jsonb AS prices
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
