import { Injectable } from '@nestjs/common';
import { symbolsOfPrice } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Pool } from 'pg';
import { columns, insertSql, replacing, runBulk, selectSql } from '../../infrastructure/bulk-rows';
import type { PriceThreshold, ThresholdRange } from './crossed-rules';
import type { Rule } from './rule';

const COLUMNS = columns<Rule>({
  text: ['id', 'accountId', 'positionId', 'name', 'conditionType', 'asset', 'actionType', 'webhookId'],
  float8: ['conditionValue'],
  boolean: ['isActive'],
  time: ['createdAtMs', 'updatedAtMs'],
  jsonb: ['deleverage'],
});
const SAVE = insertSql('rules', COLUMNS, replacing(COLUMNS, ['id']));
const SELECTED = `${selectSql(COLUMNS)},
  NOT EXISTS (SELECT 1 FROM accounts AS owner WHERE owner.account_id = rules.account_id AND NOT may_execute)
    AS "mayExecute",
  EXISTS (SELECT 1 FROM webhook_states AS state WHERE state.webhook_id = rules.webhook_id AND deleted_at IS NOT NULL)
    AS "isEndpointDeleted"`;

/** Stores the rules of accounts. */
@Injectable()
export class RulesRepository {
  constructor(private readonly pool: Pool) {}

  /** Returns the active rules on these positions: switched on, of accounts whose tier has automation. */
  async activeOn(tx: SqlExecutor, positionIds: readonly string[]): Promise<Rule[]> {
    const { rows } = await tx.query<Rule>(
      `SELECT ${SELECTED} FROM rules WHERE position_id = ANY($1) AND is_active AND NOT EXISTS (
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
      `SELECT ${SELECTED} FROM rules WHERE account_id = ANY($1) AND is_active ORDER BY id`,
      [accountIds],
    );
    return rows;
  }

  /** Newest first, starting after the rule `beforeId`. Ids sort by creation time. */
  async list(accountId: string, beforeId: string | null, limit: number): Promise<Rule[]> {
    const { rows } = await this.pool.query<Rule>(
      `SELECT ${SELECTED} FROM rules WHERE account_id = $1 AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
      [accountId, beforeId, limit],
    );
    return rows;
  }

  /** Null for a rule of another account. */
  async find(tx: SqlExecutor, accountId: string, id: string): Promise<Rule | null> {
    const { rows } = await tx.query<Rule>(`SELECT ${SELECTED} FROM rules WHERE id = $1 AND account_id = $2`, [
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
    await runBulk(tx, SAVE, COLUMNS, [rule]);
  }

  async delete(tx: SqlExecutor, id: string): Promise<void> {
    await tx.query('DELETE FROM rules WHERE id = $1', [id]);
  }
}
