import { Injectable } from '@nestjs/common';
import type { AlertSilence, AlertType, Band, Severity } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Conditions } from '@plimsoll/service-kit';
import { type Columns, columns, insertSql, runBulk, selectSql, updateSql } from '../infrastructure/bulk-rows';
import type { Alert, PositionAlert } from './alert';

/** A new alert. Fields that its kind does not have are absent. */
export interface NewAlert extends Alert, Partial<Omit<PositionAlert, keyof Alert>> {
  /** When it resolves by itself. */
  expiresAtMs?: number;
}

/** The subject of an alert. */
const SUBJECT = [
  'positionId',
  'ruleId',
  'asset',
  'webhookId',
  'whaleSubject',
  'whaleActivityId',
  'changeId',
] as const satisfies readonly (keyof Alert)[];

/** Columns that never change after the alert opened. */
const FIXED = columns<NewAlert>({
  text: ['accountId', 'type', 'openedBand', 'targetWebhookId', 'incidentId', ...SUBJECT],
  time: ['createdAtMs', 'expiresAtMs'],
});

const CHANGING_FIGURES = columns<NewAlert>(
  {
    text: [
      'id',
      'severity',
      'title',
      'message',
      'resolveReason',
      'escalatedTo',
      'level',
      'silence',
      'silencedSeverity',
    ],
    float8: ['confidenceScore', 'healthFactor'],
    time: ['resolvedAtMs'],
    bigint: ['revision'],
  },
  {
    updated_at: ['time', ({ updatedAtMs }) => updatedAtMs],
    opened_block: ['bigint', ({ openedAt }) => openedAt?.number],
    opened_block_hash: ['text', ({ openedAt }) => openedAt?.hash],
    worsened_block: ['bigint', ({ worsenedAt }) => worsenedAt?.number],
    worsened_block_hash: ['text', ({ worsenedAt }) => worsenedAt?.hash],
  },
);
const CHANGING = { ...CHANGING_FIGURES, ...columns<NewAlert>({ jsonb: ['content'] }) };
const ALL = { ...CHANGING, ...FIXED };
const UPDATE = updateSql('alerts', CHANGING, ['id'], { keptIfNull: ['content'] });

const ALERT_COLUMNS = selectSql(
  columns<Alert>({
    text: ['id', 'accountId', 'type', 'severity', 'title', 'message', ...SUBJECT],
    float8: ['confidenceScore'],
    time: ['createdAtMs'],
  }),
);

/** An alert whose silence ended, in its present state. */
export interface EndedSilence
  extends Alert, Pick<PositionAlert, 'level' | 'revision' | 'targetWebhookId' | 'content'> {
  ended: AlertSilence;
  /** When the silence began. */
  silencedSeverity: Severity;
  silencedLevel: Band | null;
}

const ENDED_COLUMNS = selectSql(
  columns<EndedSilence>({
    text: ['id', 'accountId', 'type', 'severity', 'title', 'message', 'level', 'targetWebhookId', ...SUBJECT],
    float8: ['confidenceScore'],
    time: ['createdAtMs'],
    bigint: ['revision'],
    jsonb: ['content'],
  }),
  'alerts.',
);

/** SQL: block and hash from two columns, or null. */
const blockRefSql = (column: string): string =>
  `CASE WHEN ${column} IS NOT NULL
     THEN jsonb_build_object('number', ${column}, 'hash', ${column}_hash) END`;

// An evaluation depends on the content of active alerts about a depeg only. It is longer than all other columns.
const POSITION_COLUMNS = `${selectSql({ ...CHANGING_FIGURES, ...FIXED })}, 
  CASE WHEN resolved_at IS NULL AND content->'cause'->>'kind' = 'depeg' THEN content END AS content, (extract(epoch FROM coalesce(updated_at, created_at)) * 1000)::float8
  AS "updatedAtMs", ${blockRefSql('opened_block')} AS "openedAt", ${blockRefSql('worsened_block')} AS "worsenedAt"`;

/** Selects active alerts. Each field that is present restricts them to its values. */
export interface AlertSelection {
  type?: AlertType;
  accountIds?: readonly string[] | undefined;
  positionIds?: readonly string[];
  ruleIds?: readonly string[];
  assets?: readonly string[];
  webhookIds?: readonly string[];
  whaleSubjects?: readonly string[];
  whaleActivityIds?: readonly string[];
}

const SELECTING = {
  accountIds: 'account_id',
  positionIds: 'position_id',
  ruleIds: 'rule_id',
  assets: 'asset',
  webhookIds: 'webhook_id',
  whaleSubjects: 'whale_subject',
  whaleActivityIds: 'whale_activity_id',
} as const satisfies Partial<Record<keyof AlertSelection, string>>;

/** Reads and writes the table of alerts. Only the life cycle uses it. */
@Injectable()
export class AlertsRepository {
  /** Returns alerts of the positions' states that are active or were resolved after `resolvedAfterMs`. */
  async ofPositions(
    tx: SqlExecutor,
    positionIds: readonly string[],
    resolvedAfterMs: number,
  ): Promise<PositionAlert[]> {
    const { rows } = await tx.query<PositionAlert>(
      `SELECT ${POSITION_COLUMNS} FROM alerts
       WHERE position_id = ANY($1) AND opened_band IS NOT NULL
         AND (resolved_at IS NULL OR resolved_at > to_timestamp($2::float8 / 1000))`,
      [positionIds, resolvedAfterMs],
    );
    return rows;
  }

  async active(tx: SqlExecutor, { type, ...of }: AlertSelection, limit?: number): Promise<Alert[]> {
    const conditions = new Conditions();
    conditions.add('resolved_at IS NULL');
    for (const [field, some] of Object.entries(of))
      conditions.where((all) => `${SELECTING[field as keyof typeof SELECTING]} = ANY(${all})`, some);
    conditions.equal('type', type);
    const { rows } = await tx.query<Alert>(
      `SELECT ${ALERT_COLUMNS} FROM alerts WHERE ${conditions.sql} LIMIT ${conditions.parameter(limit ?? null)}`,
      conditions.values,
    );
    return rows;
  }

  /**
   * Locks and returns expired alerts, at most `limit`. Skips alerts that another instance is resolving.
   * @param kind SQL: the condition of an index on the expiry
   */
  async lockExpired(tx: SqlExecutor, kind: string, nowMs: number, limit: number): Promise<Alert[]> {
    const { rows } = await tx.query<Alert>(
      `SELECT ${ALERT_COLUMNS} FROM alerts
       WHERE ${kind} AND resolved_at IS NULL AND expires_at <= to_timestamp($1::float8 / 1000)
       ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [nowMs, limit],
    );
    return rows;
  }

  /** Inserts alerts. Columns that none of them has keep their default. */
  async insert(tx: SqlExecutor, alerts: readonly NewAlert[]): Promise<void> {
    const own = columnsOf(alerts);
    await runBulk(tx, insertSql('alerts', own), own, alerts);
  }

  /** Inserts alerts whose subject has no active one, and returns their ids. */
  async insertMissing(tx: SqlExecutor, alerts: readonly NewAlert[]): Promise<Set<string>> {
    const own = columnsOf(alerts);
    const sql = insertSql('alerts', own, { onConflict: 'ON CONFLICT DO NOTHING RETURNING id' });
    return idsOf(await runBulk<NewAlert, { id: string }>(tx, sql, own, alerts));
  }

  /** Writes every column of the alerts that can change. Some of the alerts are resolved. */
  async update(tx: SqlExecutor, alerts: readonly PositionAlert[]): Promise<void> {
    await runBulk(tx, UPDATE, CHANGING, alerts);
  }

  /** Resolves those of the alerts that are active, and returns their ids. */
  async resolve(tx: SqlExecutor, ids: readonly string[], nowMs: number): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const { rows } = await tx.query<{ id: string }>(
      `UPDATE alerts SET resolved_at = to_timestamp($2::float8 / 1000), silence = NULL, silenced_until = NULL
       WHERE id = ANY($1) AND resolved_at IS NULL RETURNING id`,
      [ids, nowMs],
    );
    return idsOf(rows);
  }

  /** Returns snoozed alerts whose time is over, at most `limit`, with their positions. */
  async snoozedUntil(
    db: SqlExecutor,
    nowMs: number,
    limit: number,
  ): Promise<{ id: string; positionId: string | null }[]> {
    const { rows } = await db.query<{ id: string; positionId: string | null }>(
      `SELECT id, position_id AS "positionId" FROM alerts
       WHERE silence = 'snoozed' AND silenced_until <= to_timestamp($1::float8 / 1000)
       ORDER BY silenced_until LIMIT $2`,
      [nowMs, limit],
    );
    return rows;
  }

  /** Returns the position of the alert of the account. Null: the account has no such alert. */
  async positionOf(
    tx: SqlExecutor,
    accountId: string,
    id: string,
  ): Promise<{ positionId: string | null } | null> {
    const { rows } = await tx.query<{ positionId: string | null }>(
      'SELECT position_id AS "positionId" FROM alerts WHERE id = $1 AND account_id = $2',
      [id, accountId],
    );
    return rows[0] ?? null;
  }

  /**
   * Silences an active alert, also one with another silence.
   * @param untilMs null: until it is unmuted
   * @returns whether it is active
   */
  async silence(
    tx: SqlExecutor,
    id: string,
    silence: AlertSilence,
    untilMs: number | null,
  ): Promise<boolean> {
    const { rows } = await tx.query<{ id: string }>(
      `UPDATE alerts SET silence = $2, silenced_until = to_timestamp($3::float8 / 1000),
         silenced_severity = severity, silenced_level = level
       WHERE id = $1 AND resolved_at IS NULL RETURNING id`,
      [id, silence, untilMs],
    );
    return rows.length > 0;
  }

  /**
   * Ends the silences of this kind, and returns their alerts.
   * @param dueMs only those that end until then; null: all
   */
  async endSilences(
    tx: SqlExecutor,
    ids: readonly string[],
    { silence, dueMs }: { silence: AlertSilence; dueMs: number | null },
    nowMs: number,
  ): Promise<EndedSilence[]> {
    const { rows } = await tx.query<EndedSilence>(
      `WITH ended AS (
         SELECT id AS ended_id, silence AS ended, silenced_severity AS "silencedSeverity",
           silenced_level AS "silencedLevel"
         FROM alerts
         WHERE id = ANY($1) AND silence = $2 AND ($4::float8 IS NULL OR silenced_until <= to_timestamp($4 / 1000))
         FOR UPDATE
       )
       UPDATE alerts SET silence = NULL, silenced_until = NULL, revision = revision + 1,
         updated_at = to_timestamp($3::float8 / 1000)
       FROM ended WHERE id = ended_id RETURNING ${ENDED_COLUMNS}, ended."silencedSeverity", ended."silencedLevel", ended`,
      [ids, silence, nowMs, dueMs],
    );
    return rows;
  }

  /** Stores to which incident alerts belong. */
  async joinIncidents(tx: SqlExecutor, incidentOf: ReadonlyMap<string, string>): Promise<void> {
    if (incidentOf.size === 0) return;
    await tx.query(
      `UPDATE alerts SET incident_id = joined.incident_id
       FROM unnest($1::text[], $2::text[]) AS joined (alert_id, incident_id) WHERE alerts.id = joined.alert_id`,
      [[...incidentOf.keys()], [...incidentOf.values()]],
    );
  }

  /** Stores to which group the members of a group belong. */
  async joinGroup(tx: SqlExecutor, groupId: string): Promise<void> {
    await tx.query(
      `UPDATE alerts SET group_id = $1
       WHERE id IN (SELECT alert_id FROM alert_group_members WHERE group_id = $1)`,
      [groupId],
    );
  }
}

const idsOf = (rows: readonly { id: string }[]): Set<string> => new Set(rows.map(({ id }) => id));

function columnsOf(alerts: readonly NewAlert[]): Columns<NewAlert> {
  return Object.fromEntries(
    Object.entries(ALL).filter(([, { value }]) => alerts.some((alert) => value(alert) != null)),
  );
}
