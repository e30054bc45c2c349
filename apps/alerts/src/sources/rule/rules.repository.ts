import { Injectable } from '@nestjs/common';
import { symbolsOfPrice } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Pool } from 'pg';
import type { PriceThreshold, ThresholdRange } from './crossed-rules';
import type { Rule } from './rule';

const COLUMNS = `id, account_id AS "accountId", position_id AS "positionId", name, condition_type AS "conditionType",
  condition_value AS "conditionValue", asset, action_type AS "actionType", webhook_id AS "webhookId",
  deleverage, is_active AS "isActive",
  NOT EXISTS (SELECT 1 FROM accounts AS owner WHERE owner.account_id = rules.account_id AND NOT may_execute)
    AS "mayExecute",
  EXISTS (SELECT 1 FROM webhook_states AS state WHERE state.webhook_id = rules.webhook_id AND deleted_at IS NOT NULL)
    AS "isEndpointDeleted", (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs",
  (extract(epoch FROM updated_at) * 1000)::float8 AS "updatedAtMs"`;

/** Stores the rules of accounts. */
@Injectable()
export class RulesRepository {
  constructor(private readonly pool: Pool) {}

  /** Returns the active rules on these positions: switched on, of accounts whose tier has automation. */
  async activeOn(tx: SqlExecutor, positionIds: readonly string[]): Promise<Rule[]> {
    const { rows } = await tx.query<Rule>(
      `SELECT ${COLUMNS} FROM rules WHERE position_id = ANY($1) AND is_active AND NOT EXISTS (
         SELECT 1 FROM accounts WHERE accounts.account_id = rules.account_id AND NOT may_automate)
       ORDER BY id`,
      [positionIds],
    );
    return rows;
  }

  /**
   * Returns the thresholds of active price rules within the ranges. An index on the thresholds finds them.
   */
  async waitingWithin(tx: SqlExecutor, ranges: readonly ThresholdRange[]): Promise<PriceThreshold[]> {
    const symbols = ranges.flatMap((range) =>
      symbolsOfPrice(range.asset).map((symbol) => ({ ...range, symbol })),
    );
    const { rows } = await tx.query<PriceThreshold>(
      `SELECT DISTINCT position_id AS "positionId", range.asset, condition_value AS "conditionValue"
       FROM unnest($1::text[], $2::text[], $3::float8[], $4::float8[]) AS range (asset, symbol, low, high)
       JOIN rules ON upper(rules.asset) = range.symbol AND condition_value BETWEEN range.low AND range.high
       WHERE is_active AND rules.asset IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM accounts WHERE accounts.account_id = rules.account_id AND NOT may_automate)`,
      [
        symbols.map(({ asset }) => asset),
        symbols.map(({ symbol }) => symbol),
        symbols.map(({ low }) => low),
        symbols.map(({ high }) => high),
      ],
    );
    return rows;
  }

  /** Returns the accounts' rules that are switched on, whatever the tier. */
  async switchedOn(tx: SqlExecutor, accountIds: readonly string[]): Promise<Rule[]> {
    const { rows } = await tx.query<Rule>(
      `SELECT ${COLUMNS} FROM rules WHERE account_id = ANY($1) AND is_active ORDER BY id`,
      [accountIds],
    );
    return rows;
  }

  /** Newest first, starting after the rule `beforeId`. Ids sort by creation time. */
  async list(accountId: string, beforeId: string | null, limit: number): Promise<Rule[]> {
    const { rows } = await this.pool.query<Rule>(
      `SELECT ${COLUMNS} FROM rules WHERE account_id = $1 AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
      [accountId, beforeId, limit],
    );
    return rows;
  }

  /** Null for a rule of another account. */
  async find(tx: SqlExecutor, accountId: string, id: string): Promise<Rule | null> {
    const { rows } = await tx.query<Rule>(`SELECT ${COLUMNS} FROM rules WHERE id = $1 AND account_id = $2`, [
      id,
      accountId,
    ]);
    return rows[0] ?? null;
  }

  async count(tx: SqlExecutor, accountId: string): Promise<number> {
    const { rows } = await tx.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM rules WHERE account_id = $1',
      [accountId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Inserts or updates a rule. */
  async save(tx: SqlExecutor, rule: Rule): Promise<void> {
    await tx.query(
      `INSERT INTO rules (id, account_id, position_id, name, condition_type, condition_value, asset, action_type,
         webhook_id, deleverage, is_active, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, to_timestamp($12::float8 / 1000), to_timestamp($13::float8 / 1000))
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, condition_value = excluded.condition_value,
         action_type = excluded.action_type, webhook_id = excluded.webhook_id,
         deleverage = excluded.deleverage, is_active = excluded.is_active,
         updated_at = excluded.updated_at`,
      [
        rule.id,
        rule.accountId,
        rule.positionId,
        rule.name,
        rule.conditionType,
        rule.conditionValue,
        rule.asset,
        rule.actionType,
        rule.webhookId,
        rule.deleverage === null ? null : JSON.stringify(rule.deleverage),
        rule.isActive,
        rule.createdAtMs,
        rule.updatedAtMs,
      ],
    );
  }

  async delete(tx: SqlExecutor, id: string): Promise<void> {
    await tx.query('DELETE FROM rules WHERE id = $1', [id]);
  }
}
