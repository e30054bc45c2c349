import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import type { Evaluation } from './evaluation';
import type { PositionState } from './position-state';

const COLUMNS = `p.id, p.sequence::float8 AS sequence, p.wallet, p.protocol, p.chain_id AS "chainId",
  p.health_factor AS "healthFactor", p.collateral_usd AS "collateralUsd", p.debt_usd AS "debtUsd", p.band, p.closed`;

/** The latest state of each position. */
@Injectable()
export class PositionsRepository {
  /** Sequence of the state known of each position; locks them, in an order in which two batches cannot block each other. */
  async lockSequences(tx: SqlExecutor, ids: readonly string[]): Promise<Map<string, number>> {
    const { rows } = await tx.query<{ id: string; sequence: number }>(
      'SELECT id, sequence::float8 AS sequence FROM positions WHERE id = ANY($1) ORDER BY id FOR UPDATE',
      [ids],
    );
    return new Map(rows.map(({ id, sequence }) => [id, sequence]));
  }

  async save(tx: SqlExecutor, states: readonly PositionState[]): Promise<void> {
    if (states.length === 0) return;
    await tx.query(
      `INSERT INTO positions AS known
         (id, sequence, wallet, protocol, chain_id, health_factor, collateral_usd, debt_usd, band, closed)
       SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::int[], $6::float8[], $7::float8[],
         $8::float8[], $9::text[], $10::boolean[])
       ON CONFLICT (id) DO UPDATE SET
         sequence = excluded.sequence, health_factor = excluded.health_factor,
         collateral_usd = excluded.collateral_usd, debt_usd = excluded.debt_usd,
         band = excluded.band, closed = excluded.closed
       WHERE known.sequence < excluded.sequence`,
      [
        states.map((state) => state.id),
        states.map((state) => state.sequence),
        states.map((state) => state.wallet),
        states.map((state) => state.protocol),
        states.map((state) => state.chainId),
        states.map((state) => state.healthFactor),
        states.map((state) => state.collateralUsd),
        states.map((state) => state.debtUsd),
        states.map((state) => state.band),
        states.map((state) => state.closed),
      ],
    );
  }

  async ofWallets(tx: SqlExecutor, wallets: readonly string[]): Promise<PositionState[]> {
    const { rows } = await tx.query<PositionState>(
      `SELECT ${COLUMNS} FROM positions AS p WHERE p.wallet = ANY($1)`,
      [wallets],
    );
    return rows;
  }

  /**
   * Positions with an alert that is due, locked. One that another transaction holds is left out: it is being evaluated,
   * and what is then still due is found at the next look.
   */
  async lockDue(tx: SqlExecutor, nowMs: number, limit: number): Promise<Evaluation[]> {
    const { rows } = await tx.query<PositionState & { requestId: string | null; traceparent: string | null }>(
      `SELECT ${COLUMNS}, cause.request_id AS "requestId", cause.traceparent
       FROM positions AS p, LATERAL (
         SELECT d.request_id, d.traceparent FROM due_openings AS d WHERE d.position_id = p.id ORDER BY d.due_at LIMIT 1
       ) AS cause
       WHERE p.id IN (
         SELECT position_id FROM due_openings WHERE due_at <= to_timestamp($1::float8 / 1000) ORDER BY due_at LIMIT $2
       )
       ORDER BY p.id FOR UPDATE OF p SKIP LOCKED`,
      [nowMs, limit],
    );
    return rows.map(({ requestId, traceparent, ...position }) => ({
      position,
      ageBlocks: 0,
      cause: { requestId: requestId ?? undefined, traceparent: traceparent ?? undefined },
    }));
  }
}
