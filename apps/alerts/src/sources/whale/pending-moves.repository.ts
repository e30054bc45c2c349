import { Injectable } from '@nestjs/common';
import type { WhaleV1 } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, replacing, runBulk } from '../../infrastructure/bulk-rows';
import type { CausedMove } from './whale-alert';

/** Most moves that one transaction reads. The others wait for the next. */
const MOST_MOVES = 1_000;

const COLUMNS = columns<CausedMove>(
  { text: ['requestId', 'traceparent'], jsonb: ['move'] },
  { activity_id: ['text', ({ move }) => move.activityId] },
);
const SAVE = insertSql('whale_tellings', COLUMNS, replacing(COLUMNS, ['activity_id']));

/**
 * Stores moves whose notifications are pending. Every writer, and every reader of the moves, holds the lock on
 * alerts.
 */
@Injectable()
export class PendingMovesRepository {
  async any(db: SqlExecutor): Promise<boolean> {
    return (await db.query('SELECT 1 FROM whale_tellings LIMIT 1')).rows.length > 0;
  }

  async some(tx: SqlExecutor): Promise<CausedMove[]> {
    const { rows } = await tx.query<{ move: WhaleV1; requestId: string | null; traceparent: string | null }>(
      `SELECT move, request_id AS "requestId", traceparent FROM whale_tellings ORDER BY activity_id LIMIT $1`,
      [MOST_MOVES],
    );
    return rows.map(({ move, requestId, traceparent }) => ({
      move,
      requestId: requestId ?? undefined,
      traceparent: traceparent ?? undefined,
    }));
  }

  /** Records whether notifications of the moves are pending. */
  async set(tx: SqlExecutor, moves: readonly CausedMove[], isPending: boolean): Promise<void> {
    const ids = moves.map(({ move }) => move.activityId);
    if (ids.length === 0) return;
    if (!isPending) {
      await tx.query('DELETE FROM whale_tellings WHERE activity_id = ANY($1)', [ids]);
      return;
    }
    await runBulk(tx, SAVE, COLUMNS, moves);
  }
}
