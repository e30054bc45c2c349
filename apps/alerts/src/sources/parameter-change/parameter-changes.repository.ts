import { Injectable } from '@nestjs/common';
import {
  DEFAULT_ALERT_PREFERENCES,
  type ParameterChange,
  type ParameterChangeEnd,
  type ParameterChangeV1,
  priceSymbol,
} from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, replacing, runBulk } from '../../infrastructure/bulk-rows';
import type { Alert } from '../../lifecycle/alert';
import type { PositionState } from '../../positions/position-state';
import { POSITION_COLUMNS, type PositionRow, stateOf } from '../../positions/positions.repository';
import type { ChangeOfPosition } from './parameter-text';

const TYPE = 'parameter_change';
/** Heartbeats without a statement after which nothing is known about the present. */
const UNKNOWN_AFTER_HEARTBEATS = 3;
const KEPT_DAYS = 30;
/** A market that was not stated for so long is no longer followed. */
const FOLLOWED_MS = 86_400_000;

interface ChangeRow {
  id: string;
  proposal: string;
  protocol: string;
  chainId: number;
  market: string;
  asset: string;
  change: ParameterChange;
  state: string;
  listedAtMs: number;
  marketAtMs: number;
  heartbeatMs: number;
}
const CHANGES = columns<ChangeRow>({
  text: ['id', 'proposal', 'protocol', 'market', 'asset', 'state'],
  int: ['chainId', 'heartbeatMs'],
  jsonb: ['change'],
  time: ['listedAtMs', 'marketAtMs'],
});
/** An announcement that ended stays so: an instance whose node is behind still lists it. */
const SAVE_CHANGES = insertSql(
  'parameter_changes',
  CHANGES,
  replacing(CHANGES, ['id'], { where: `known.listed_at <= excluded.listed_at AND known.state = 'pending'` }),
);

interface EffectRow {
  changeId: string;
  positionId: string;
  healthFactor: number;
  healthFactorAfter: number | null;
  statedAtMs: number;
}
const EFFECTS = columns<EffectRow>({
  text: ['changeId', 'positionId'],
  float8: ['healthFactor', 'healthFactorAfter'],
  time: ['statedAtMs'],
});
const SAVE_EFFECTS = insertSql(
  'parameter_change_effects',
  EFFECTS,
  replacing(EFFECTS, ['change_id', 'position_id'], {
    where: 'known.stated_at <= excluded.stated_at',
  }),
);

/**
 * SQL: each account with its positions that a pending change affects, except those that are too small for alerts of the
 * account. An effect that the market no longer states is none.
 */
const AFFECTED = `
  SELECT w.account_id, w.label, e.position_id, c.id AS change_id, c.asset, c.change, e.health_factor, e.health_factor_after
  FROM parameter_changes AS c
  JOIN parameter_change_effects AS e ON e.change_id = c.id
    AND e.stated_at >= c.market_at - ${UNKNOWN_AFTER_HEARTBEATS} * c.heartbeat_ms * interval '1 ms'
  JOIN positions AS p ON p.id = e.position_id AND NOT p.closed
  JOIN watches AS w ON w.wallet = p.wallet AND w.watching
  LEFT JOIN alert_settings AS s ON s.account_id = w.account_id
  WHERE c.state = 'pending'
    AND greatest(p.collateral_usd, p.debt_usd) >= coalesce(s.min_usd, ${DEFAULT_ALERT_PREFERENCES.minUsd})`;

/** An alert to open. */
export interface AffectedByChange extends ChangeOfPosition {
  accountId: string;
  changeId: string;
  position: PositionState;
}

/** An active alert to resolve. */
export interface EndedAlert extends Alert {
  asset: string;
  /** Null: the change is not over, or is no longer known. */
  state: ParameterChangeEnd | null;
  /** Of the change. Null when it is no longer known. */
  protocol: string | null;
  chainId: number | null;
}

/** Stores what governance announced, and finds the alerts that must open or resolve. */
@Injectable()
export class ParameterChangesRepository {
  async store(tx: SqlExecutor, event: ParameterChangeV1): Promise<void> {
    const { protocol, chainId, market, changes, ended, effects, publishedAt, heartbeatMs } = event;
    const atMs = Date.parse(publishedAt);
    const key = (id: string): string => [protocol, chainId, market, id].join(' ');
    const rows = changes.map(
      ({ id, proposalId, asset, source, values, earliestAt, expiresAt, isGradual }) => ({
        id: key(id),
        proposal: key(proposalId),
        protocol,
        chainId,
        market,
        asset: priceSymbol(asset),
        change: { proposalId, source, values, earliestAt, expiresAt, isGradual },
        state: 'pending',
        listedAtMs: atMs,
        marketAtMs: atMs,
        heartbeatMs,
      }),
    );
    await runBulk(tx, SAVE_CHANGES, CHANGES, rows);
    const own = [protocol, chainId, market, publishedAt];
    await tx.query(
      `UPDATE parameter_changes AS known SET market_at = $4, state = coalesce(
         (SELECT over.state FROM unnest($5::text[], $6::text[]) AS over (id, state) WHERE over.id = known.proposal LIMIT 1),
         known.state)
       WHERE protocol = $1 AND chain_id = $2 AND market = $3 AND market_at <= $4`,
      [...own, ended.map(({ proposalId }) => key(proposalId)), ended.map(({ end }) => end)],
    );
    const stated = effects.map(({ changeId, ...effect }) => ({
      ...effect,
      changeId: key(changeId),
      statedAtMs: atMs,
    }));
    await runBulk(tx, SAVE_EFFECTS, EFFECTS, stated);
    await tx.query(
      `DELETE FROM parameter_changes
       WHERE protocol = $1 AND chain_id = $2 AND market = $3 AND listed_at < $4::timestamptz - interval '${KEPT_DAYS} days'`,
      own,
    );
  }

  /** Returns whether a change is pending or an alert about one is active. Without both, no alert opens or resolves. */
  async mayHaveWork(db: SqlExecutor): Promise<boolean> {
    const { rows } = await db.query<{ mayHaveWork: boolean }>(
      `SELECT EXISTS (SELECT FROM parameter_changes WHERE state = 'pending')
         OR EXISTS (SELECT FROM alerts WHERE type = '${TYPE}' AND resolved_at IS NULL) AS "mayHaveWork"`,
    );
    return rows[0]?.mayHaveWork === true;
  }

  /** Lets one instance at a time open and resolve alerts. Returns whether this is the one. */
  async tryLock(tx: SqlExecutor): Promise<boolean> {
    const { rows } = await tx.query<{ isLocked: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('plimsoll:alerts:parameters', 0)) AS "isLocked"`,
    );
    return rows[0]?.isLocked === true;
  }

  /**
   * Returns active alerts whose position is no longer affected by a pending change, at most `limit`. A change of a market
   * that is no longer stated ends with its time, and after a day.
   */
  async ended(tx: SqlExecutor, nowMs: number, limit: number): Promise<EndedAlert[]> {
    const { rows } = await tx.query<EndedAlert>(
      `SELECT a.id, a.account_id AS "accountId", a.position_id AS "positionId", a.asset, a.change_id AS "changeId", a.type,
         a.severity, a.title, a.message, a.confidence_score AS "confidenceScore",
         (extract(epoch FROM a.created_at) * 1000)::float8 AS "createdAtMs",
         nullif(known.state, 'pending') AS state, known.protocol, known.chain_id AS "chainId"
       FROM alerts AS a LEFT JOIN parameter_changes AS known ON known.id = a.change_id
       WHERE a.type = '${TYPE}' AND a.resolved_at IS NULL AND NOT EXISTS (
         ${AFFECTED} AND c.id = a.change_id AND e.position_id = a.position_id AND w.account_id = a.account_id
           AND c.market_at > to_timestamp($1::float8 / 1000) - CASE
             WHEN (c.change ->> 'expiresAt')::timestamptz < to_timestamp($1::float8 / 1000)
             THEN ${UNKNOWN_AFTER_HEARTBEATS} * c.heartbeat_ms ELSE ${FOLLOWED_MS} END * interval '1 ms')
       LIMIT $2`,
      [nowMs, limit],
    );
    return rows;
  }

  /** Returns what must open, at most `limit`. A change that is no longer stated opens nothing. */
  async missing(tx: SqlExecutor, nowMs: number, limit: number): Promise<AffectedByChange[]> {
    const { rows } = await tx.query<
      PositionRow & Omit<AffectedByChange, 'position' | 'healthFactor'> & { healthFactorNow: number }
    >(
      `SELECT ${POSITION_COLUMNS}, affected.account_id AS "accountId", affected.label, affected.asset, affected.change,
         affected.change_id AS "changeId", affected.health_factor AS "healthFactorNow",
         affected.health_factor_after AS "healthFactorAfter"
       FROM (${AFFECTED}
         AND c.market_at > to_timestamp($1::float8 / 1000) - ${UNKNOWN_AFTER_HEARTBEATS} * c.heartbeat_ms * interval '1 ms'
       ) AS affected
       JOIN positions AS p ON p.id = affected.position_id
       WHERE NOT EXISTS (SELECT 1 FROM alerts AS a WHERE a.type = '${TYPE}' AND a.resolved_at IS NULL
         AND a.position_id = affected.position_id AND a.account_id = affected.account_id AND a.change_id = affected.change_id)
       LIMIT $2`,
      [nowMs, limit],
    );
    return rows.map(
      ({ accountId, label, asset, change, changeId, healthFactorNow, healthFactorAfter, ...row }) => ({
        accountId,
        label,
        asset,
        change,
        changeId,
        healthFactor: healthFactorNow,
        healthFactorAfter,
        position: stateOf(row),
      }),
    );
  }
}
