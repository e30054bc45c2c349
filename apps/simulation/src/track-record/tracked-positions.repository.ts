import { Inject, Injectable } from '@nestjs/common';
import type { PositionV1 } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Pool } from 'pg';
import { rankOf } from './tracked-position';

/** The latest states of the positions that are tracked. */
@Injectable()
export class TrackedPositionsRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /**
   * Locks the positions until the transaction ends, in the order of ids. Forecasts of these states are stored
   * before the lock, or not at all.
   */
  async lock(tx: SqlExecutor, ids: readonly string[]): Promise<Map<string, PositionV1>> {
    const { rows } = await tx.query<{ id: string; event: PositionV1 }>(
      {
        name: 'lock-tracked',
        text: 'SELECT id, event FROM tracked_positions WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE',
      },
      [ids],
    );
    return new Map(rows.map(({ id, event }) => [id, event]));
  }

  async save(tx: SqlExecutor, events: readonly PositionV1[]): Promise<void> {
    if (events.length === 0) return;
    await tx.query(
      {
        name: 'save-tracked',
        text: `INSERT INTO tracked_positions (id, rank, sequence, event)
               SELECT * FROM unnest($1::text[], $2::bigint[], $3::int[], $4::jsonb[])
               ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, event = excluded.event
               WHERE tracked_positions.sequence < excluded.sequence`,
      },
      [
        events.map(({ id }) => id),
        events.map(({ id }) => rankOf(id)),
        events.map(({ sequence }) => sequence),
        events,
      ],
    );
  }

  async remove(tx: SqlExecutor, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await tx.query('DELETE FROM tracked_positions WHERE id = ANY($1::text[])', [ids]);
  }

  /**
   * Positions among the `size` lowest ranks that have no forecast in the slot and are not liquidatable,
   * lowest ranks first.
   */
  async withoutForecast(size: number, slot: Date, horizons: number): Promise<PositionV1[]> {
    const { rows } = await this.pool.query<{ event: PositionV1 }>(
      `SELECT event FROM (SELECT * FROM tracked_positions ORDER BY rank, id LIMIT $1) AS panel
       WHERE (event->>'healthFactor')::float8 >= 1
         AND (SELECT count(*) FROM forecasts WHERE position_id = panel.id AND slot = $2) < $3
       ORDER BY rank, id`,
      [size, slot, horizons],
    );
    return rows.map(({ event }) => event);
  }

  /** Deletes positions that others replaced when none of their forecasts is open. */
  async trim(size: number): Promise<number> {
    const { rowCount } = await this.pool.query(
      `DELETE FROM tracked_positions WHERE id IN (
         SELECT id FROM (SELECT id FROM tracked_positions ORDER BY rank, id OFFSET $1) AS beyond
         WHERE NOT EXISTS (SELECT 1 FROM forecasts WHERE position_id = beyond.id AND outcome IS NULL))`,
      [size],
    );
    return rowCount ?? 0;
  }
}
