import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, runBulk, selectSql, updateSql } from '../infrastructure/bulk-rows';
import type { Incident, IncidentScope } from './incident';
import type { PlacedNote, PriorAlert } from './incident-book';

/** Most rows that one statement deletes, to keep locks short. */
const DELETE_ROWS = 5_000;

const SCOPES = 'unnest($1::text[], $2::text[], $3::int[]) AS scope (account_id, protocol, chain_id)';
const scopeArrays = (scopes: readonly IncidentScope[]): unknown[] => [
  scopes.map(({ accountId }) => accountId),
  scopes.map(({ protocol }) => protocol),
  scopes.map(({ chainId }) => chainId),
];

const INCIDENT = columns<Incident>({
  text: ['id', 'accountId', 'protocol', 'trigger', 'severity', 'title'],
  int: ['chainId'],
  time: ['openedAtMs', 'closedAtMs'],
});
const CHANGING = columns<Incident>({ text: ['id', 'severity'], time: ['closedAtMs'] });
const FACT = columns<PlacedNote>(
  { text: ['incidentId'] },
  {
    alert_id: ['text', ({ note }) => note.alert?.id],
    position_id: ['text', ({ note }) => note.position.id],
    type: ['text', ({ note }) => note.type],
    message: ['text', ({ note }) => note.message],
    at: ['time', ({ note }) => note.atMs],
    block: ['bigint', ({ note }) => note.position.block],
    band: ['text', ({ note }) => note.position.band],
    health_factor: ['float8', ({ note }) => note.position.healthFactor],
    collateral_usd: ['float8', ({ note }) => note.position.collateralUsd],
    debt_usd: ['float8', ({ note }) => note.position.debtUsd],
  },
);
const INSERT = insertSql('incidents', INCIDENT);
const UPDATE = updateSql('incidents', CHANGING, ['id']);
const ADD_FACTS = insertSql('incident_facts', FACT, { orderBy: ['place'] });

/** Writes incidents and their facts in batches. */
@Injectable()
export class IncidentsRepository {
  /** Serialises batches with the same scopes. Locks in a fixed order, so that no deadlock occurs. */
  async lock(tx: SqlExecutor, keys: readonly string[]): Promise<void> {
    await tx.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('plimsoll:alerts:incident:' || key, 0))
       FROM (SELECT key FROM unnest($1::text[]) AS key ORDER BY key) AS keys`,
      [keys],
    );
  }

  async open(tx: SqlExecutor, scopes: readonly IncidentScope[]): Promise<Incident[]> {
    const { rows } = await tx.query<Incident>(
      `SELECT ${selectSql(INCIDENT, 'i.')} FROM incidents AS i JOIN ${SCOPES} USING (account_id, protocol, chain_id) WHERE i.closed_at IS NULL`,
      scopeArrays(scopes),
    );
    return rows;
  }

  /** Returns alerts of the scopes that are active or opened after `sinceMs`. */
  async alertsOf(tx: SqlExecutor, scopes: readonly IncidentScope[], sinceMs: number): Promise<PriorAlert[]> {
    const { rows } = await tx.query<PriorAlert>(
      `SELECT a.id AS "alertId", a.account_id AS "accountId", p.protocol, p.chain_id AS "chainId",
         a.position_id AS "positionId", a.severity, a.incident_id AS "incidentId", a.resolved_at IS NULL AS "isActive",
         (extract(epoch FROM a.created_at) * 1000)::float8 AS "openedAtMs"
       FROM ${SCOPES}
       JOIN alerts AS a USING (account_id)
       JOIN positions AS p ON p.id = a.position_id AND (p.protocol, p.chain_id) = (scope.protocol, scope.chain_id)
       WHERE a.resolved_at IS NULL OR a.created_at > to_timestamp($4::float8 / 1000)`,
      [...scopeArrays(scopes), sinceMs],
    );
    return rows;
  }

  async insert(tx: SqlExecutor, incidents: readonly Incident[]): Promise<void> {
    await runBulk(tx, INSERT, INCIDENT, incidents);
  }

  async update(tx: SqlExecutor, incidents: readonly Incident[]): Promise<void> {
    await runBulk(tx, UPDATE, CHANGING, incidents);
  }

  /** Adds the facts of stored alerts to the incidents of the alerts. */
  async joinFacts(tx: SqlExecutor, incidentOf: ReadonlyMap<string, string>): Promise<void> {
    if (incidentOf.size === 0) return;
    await tx.query(
      `UPDATE incident_facts AS f SET incident_id = joined.incident_id
       FROM unnest($1::text[], $2::text[]) AS joined (alert_id, incident_id)
       WHERE f.alert_id = joined.alert_id AND f.incident_id IS NULL`,
      [[...incidentOf.keys()], [...incidentOf.values()]],
    );
  }

  async addFacts(tx: SqlExecutor, placed: readonly PlacedNote[]): Promise<void> {
    await runBulk(tx, ADD_FACTS, FACT, placed);
  }

  /** Deletes some older facts without an incident. Returns whether more may remain. */
  async forgetLooseFacts(tx: SqlExecutor, beforeMs: number): Promise<boolean> {
    const { rowCount } = await tx.query(
      `DELETE FROM incident_facts WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM incident_facts WHERE incident_id IS NULL AND at < to_timestamp($1::float8 / 1000)
         LIMIT ${DELETE_ROWS}))`,
      [beforeMs],
    );
    return rowCount === DELETE_ROWS;
  }
}
