import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { levelOf } from './danger-level';
import type { Evaluation } from '../lifecycle/evaluation';
import { NO_HOLDINGS } from './holdings';
import { type PositionState, heldAssets } from './position-state';

const COLUMNS = `p.id, p.sequence::float8 AS sequence, p.wallet, p.protocol, p.chain_id AS "chainId",
  p.health_factor AS "healthFactor", p.collateral_usd AS "collateralUsd", p.debt_usd AS "debtUsd", p.band, p.closed,
  p.is_usd_known AS "isUsdKnown", p.block_hash AS "blockHash",
  p.block::float8 AS block, (extract(epoch FROM p.block_at) * 1000)::float8 AS "blockAtMs", p.holdings,
  p.collateral_peaks AS peaks, p.risk_score AS "riskScore", p.liquidation_probability AS "liquidationProbability"`;

/** Null until the first event after the migration that added the columns. */
type Row = Omit<PositionState, 'holdings' | 'level'> & { holdings: PositionState['holdings'] | null };
const stateOf = (row: Row): PositionState => ({
  ...row,
  holdings: row.holdings ?? NO_HOLDINGS,
  level: levelOf(row),
});

/** Stores the latest state of each position. */
@Injectable()
export class PositionsRepository {
  /**
   * Returns and locks the stored state of each position, in a fixed order, so that two batches cannot block
   * each other.
   */
  async lockStates(tx: SqlExecutor, ids: readonly string[]): Promise<Map<string, PositionState>> {
    const { rows } = await tx.query<Row>(
      `SELECT ${COLUMNS} FROM positions AS p WHERE p.id = ANY($1) ORDER BY p.id FOR UPDATE`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, stateOf(row)]));
  }

  async save(tx: SqlExecutor, states: readonly PositionState[]): Promise<void> {
    if (states.length === 0) return;
    await tx.query(
      `INSERT INTO positions AS known
         (id, sequence, wallet, protocol, chain_id, health_factor, collateral_usd, debt_usd, band, closed, block,
          block_at, holdings, collateral_peaks, assets, is_usd_known, block_hash)
       SELECT id, sequence, wallet, protocol, chain_id, health_factor, collateral_usd, debt_usd, band, closed, block,
         to_timestamp(block_at_ms / 1000), holdings, collateral_peaks, assets, is_usd_known, block_hash
       FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::int[], $6::float8[], $7::float8[],
         $8::float8[], $9::text[], $10::boolean[], $11::bigint[], $12::float8[], $13::jsonb[], $14::jsonb[],
         $15::jsonb[], $16::boolean[], $17::text[])
         AS state (id, sequence, wallet, protocol, chain_id, health_factor, collateral_usd, debt_usd, band, closed,
           block, block_at_ms, holdings, collateral_peaks, assets, is_usd_known, block_hash)
       ORDER BY id
       ON CONFLICT (id) DO UPDATE SET
         sequence = excluded.sequence, health_factor = excluded.health_factor,
         collateral_usd = excluded.collateral_usd, debt_usd = excluded.debt_usd,
         band = excluded.band, closed = excluded.closed, block = excluded.block, block_at = excluded.block_at,
         holdings = excluded.holdings, collateral_peaks = excluded.collateral_peaks,
         assets = excluded.assets, is_usd_known = excluded.is_usd_known,
         block_hash = excluded.block_hash
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
        states.map((state) => state.block),
        states.map((state) => state.blockAtMs),
        states.map((state) => JSON.stringify(state.holdings)),
        states.map((state) => JSON.stringify(state.peaks)),
        states.map((state) => JSON.stringify(heldAssets(state))),
        states.map((state) => state.isUsdKnown),
        states.map((state) => state.blockHash),
      ],
    );
  }

  async ofIds(tx: SqlExecutor, ids: readonly string[]): Promise<PositionState[]> {
    const { rows } = await tx.query<Row>(`SELECT ${COLUMNS} FROM positions AS p WHERE p.id = ANY($1)`, [ids]);
    return rows.map(stateOf);
  }

  /**
   * Returns positions of watched wallets that hold an asset, by account: at most `most` of each, the lowest
   * health factors first.
   */
  async holding(
    tx: SqlExecutor,
    asset: string,
    accountIds: readonly string[],
    most: number,
  ): Promise<Map<string, { positions: PositionState[]; total: number }>> {
    const { rows } = await tx.query<Row & { accountId: string; total: number }>(
      // OFFSET 0 keeps the filter on assets outside. Without statistics, the planner would read every holder
      // of the asset.
      `WITH watched AS MATERIALIZED (
         SELECT wallet, account_id FROM watches WHERE watching AND account_id = ANY($2)
       )
       SELECT ${COLUMNS}, p.account_id AS "accountId", p.total::float8 AS total FROM (
         SELECT held.*, w.account_id, count(*) OVER of_account AS total,
           row_number() OVER (of_account ORDER BY held.health_factor NULLS LAST) AS place
         FROM watched AS w
         CROSS JOIN LATERAL (SELECT * FROM positions WHERE positions.wallet = w.wallet OFFSET 0) AS held
         WHERE held.assets ? $1
         WINDOW of_account AS (PARTITION BY w.account_id)
       ) AS p WHERE p.place <= $3`,
      [asset, accountIds, most],
    );
    const byAccount = new Map<string, { positions: PositionState[]; total: number }>();
    for (const { accountId, total, ...row } of rows) {
      const held = byAccount.get(accountId) ?? { positions: [], total };
      byAccount.set(accountId, held);
      held.positions.push(stateOf(row));
    }
    return byAccount;
  }

  async ofWallets(tx: SqlExecutor, wallets: readonly string[]): Promise<PositionState[]> {
    const { rows } = await tx.query<Row>(`SELECT ${COLUMNS} FROM positions AS p WHERE p.wallet = ANY($1)`, [
      wallets,
    ]);
    return rows.map(stateOf);
  }

  /**
   * Locks and returns positions with due openings. Skips a position that another transaction holds: it is
   * being evaluated, and the next poll finds openings that are still due.
   */
  async lockDue(tx: SqlExecutor, nowMs: number, limit: number): Promise<Evaluation[]> {
    const { rows } = await tx.query<Row & { requestId: string | null; traceparent: string | null }>(
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
    return rows.map(({ requestId, traceparent, ...row }) => ({
      position: stateOf(row),
      previous: null,
      atMs: nowMs,
      ageBlocks: 0,
      cause: { requestId: requestId ?? undefined, traceparent: traceparent ?? undefined },
    }));
  }
}
