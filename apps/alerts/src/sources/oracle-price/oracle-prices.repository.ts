import { Injectable } from '@nestjs/common';
import { DEFAULT_ALERT_PREFERENCES } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, replacing, runBulk, selectSql } from '../../infrastructure/bulk-rows';
import type { Alert, AlertText } from '../../lifecycle/alert';
import type { PositionState } from '../../positions/position-state';
import { POSITION_COLUMNS, type PositionRow, stateOf } from '../../positions/positions.repository';
import type { AssetMove } from '../asset-price/affected-positions';
import type { OracleCondition } from './oracle-condition';

const TYPE = 'oracle_deviation';
const KEY = ['protocol', 'chain_id', 'oracle', 'token'];
/** An oracle that was not stated for so long is no longer read. */
const READ_MS = 86_400_000;
const COLUMNS = columns<OracleCondition>({
  text: ['protocol', 'oracle', 'token', 'asset', 'severity', 'title', 'message', 'lastSeverity'],
  int: ['chainId'],
  float8: ['priceUsd'],
  bigint: ['block'],
  time: ['publishedAtMs', 'clearedAtMs', 'beganAtMs'],
  jsonb: ['move'],
});
const SELECTED = `${selectSql(COLUMNS)}, '${TYPE}' AS type`;
const SAVE = insertSql('oracle_prices', COLUMNS, replacing(COLUMNS, KEY));

/**
 * SQL: each account with its positions that depend on an oracle whose price ever deviated, except positions without
 * debt and those that are too small for alerts of the account. `place` is 1 for the worst oracle of an asset.
 */
const AFFECTED = `
  SELECT w.account_id, w.label, p.id AS position_id, c.asset, c.severity, c.title, c.message, c.move,
    row_number() OVER (PARTITION BY w.account_id, p.id, c.asset ORDER BY c.severity = 'high' DESC NULLS LAST,
      c.severity IS NULL, c.oracle, c.token) AS place
  FROM positions AS p
  CROSS JOIN LATERAL jsonb_array_elements_text(p.oracles) AS key
  JOIN oracle_prices AS c ON c.protocol = p.protocol AND c.chain_id = p.chain_id
    AND c.oracle = split_part(key, ' ', 1) AND c.token = split_part(key, ' ', 2)
  JOIN watches AS w ON w.wallet = p.wallet AND w.watching
  LEFT JOIN alert_settings AS s ON s.account_id = w.account_id
  WHERE NOT p.closed AND p.health_factor IS NOT NULL
    AND greatest(p.collateral_usd, p.debt_usd) >= coalesce(s.min_usd, ${DEFAULT_ALERT_PREFERENCES.minUsd})`;

/** An alert to open. */
export interface MissingAlert extends AlertText, Pick<Alert, 'accountId' | 'severity'> {
  asset: string;
  move: AssetMove;
  label: string | null;
  position: PositionState;
}

/** An active alert to resolve. */
export interface EndedAlert extends Alert {
  asset: string;
  /** Text of the oracle. Null when the position no longer depends on it. */
  overTitle: string | null;
  overMessage: string | null;
}

/** Stores the last price of each oracle, and finds the alerts that must open or resolve. */
@Injectable()
export class OraclePricesRepository {
  /** Returns and locks the stored prices of the protocol on the chain, in a fixed order. */
  async lock(
    tx: SqlExecutor,
    protocol: string,
    chainId: number,
    tokens: readonly string[],
  ): Promise<OracleCondition[]> {
    const { rows } = await tx.query<OracleCondition>(
      `SELECT ${SELECTED} FROM oracle_prices WHERE protocol = $1 AND chain_id = $2 AND token = ANY($3)
       ORDER BY ${KEY.join(', ')} FOR UPDATE`,
      [protocol, chainId, tokens],
    );
    return rows;
  }

  /** At most one for each oracle and token. */
  async save(tx: SqlExecutor, conditions: readonly OracleCondition[]): Promise<void> {
    await runBulk(tx, SAVE, COLUMNS, conditions);
  }

  /** Returns whether an oracle deviates or an alert about one is active. Without both, no alert opens or resolves. */
  async mayHaveWork(db: SqlExecutor): Promise<boolean> {
    const { rows } = await db.query<{ mayHaveWork: boolean }>(
      `SELECT EXISTS (SELECT FROM oracle_prices WHERE severity IS NOT NULL)
         OR EXISTS (SELECT FROM alerts WHERE type = '${TYPE}' AND resolved_at IS NULL) AS "mayHaveWork"`,
    );
    return rows[0]?.mayHaveWork === true;
  }

  /** Lets one instance at a time open and resolve alerts. Returns whether this is the one. */
  async tryLock(tx: SqlExecutor): Promise<boolean> {
    const { rows } = await tx.query<{ isLocked: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('plimsoll:alerts:oracles', 0)) AS "isLocked"`,
    );
    return rows[0]?.isLocked === true;
  }

  /** Returns active alerts whose severity is no longer that of an oracle that is read, at most `limit`. */
  async ended(tx: SqlExecutor, nowMs: number, limit: number): Promise<EndedAlert[]> {
    const { rows } = await tx.query<EndedAlert>(
      `SELECT a.id, a.account_id AS "accountId", a.position_id AS "positionId", a.asset, a.type, a.severity, a.title,
         a.message, a.confidence_score AS "confidenceScore",
         (extract(epoch FROM a.created_at) * 1000)::float8 AS "createdAtMs",
         affected.title AS "overTitle", affected.message AS "overMessage"
       FROM alerts AS a LEFT JOIN LATERAL (
         SELECT * FROM (${AFFECTED} AND p.id = a.position_id AND w.account_id = a.account_id AND c.asset = a.asset
           AND c.published_at > to_timestamp($1::float8 / 1000)) AS of_alert
         WHERE place = 1
       ) AS affected ON true
       WHERE a.type = '${TYPE}' AND a.resolved_at IS NULL AND affected.severity IS DISTINCT FROM a.severity
       LIMIT $2`,
      [nowMs - READ_MS, limit],
    );
    return rows;
  }

  /**
   * Returns what must open, at most `limit`.
   * @param statedAfterMs milliseconds since 1970. An older price says nothing about the present
   */
  async missing(tx: SqlExecutor, statedAfterMs: number, limit: number): Promise<MissingAlert[]> {
    const { rows } = await tx.query<PositionRow & Omit<MissingAlert, 'position'>>(
      `SELECT ${POSITION_COLUMNS}, affected.account_id AS "accountId", affected.label, affected.asset, affected.severity,
         affected.title, affected.message, affected.move
       FROM (${AFFECTED} AND p.oracles ?| ARRAY(SELECT oracle || ' ' || token FROM oracle_prices WHERE severity IS NOT NULL)
           AND c.severity IS NOT NULL AND c.published_at > to_timestamp($1::float8 / 1000)) AS affected
       JOIN positions AS p ON p.id = affected.position_id
       WHERE affected.place = 1 AND (affected.account_id, affected.position_id, affected.asset) NOT IN (
         SELECT account_id, position_id, asset FROM alerts WHERE type = '${TYPE}' AND resolved_at IS NULL)
       LIMIT $2`,
      [statedAfterMs, limit],
    );
    return rows.map(({ accountId, label, asset, severity, title, message, move, ...row }) => ({
      accountId,
      label,
      asset,
      severity,
      title,
      message,
      move,
      position: stateOf(row),
    }));
  }
}
