import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
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
      `SELECT i.id, i.account_id AS "accountId", i.protocol, i.chain_id AS "chainId", i.trigger, i.severity, i.title,
         (extract(epoch FROM i.opened_at) * 1000)::float8 AS "openedAtMs", NULL AS "closedAtMs"
       FROM incidents AS i JOIN ${SCOPES} USING (account_id, protocol, chain_id) WHERE i.closed_at IS NULL`,
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
    if (incidents.length === 0) return;
    await tx.query(
      `INSERT INTO incidents (id, account_id, protocol, chain_id, trigger, severity, title, opened_at, closed_at)
       SELECT id, account_id, protocol, chain_id, trigger, severity, title, to_timestamp(opened_at_ms / 1000),
         to_timestamp(closed_at_ms / 1000)
       FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[],
         $9::float8[])
         AS new (account_id, protocol, chain_id, id, trigger, severity, title, opened_at_ms, closed_at_ms)`,
      [
        ...scopeArrays(incidents),
        incidents.map(({ id }) => id),
        incidents.map(({ trigger }) => trigger),
        incidents.map(({ severity }) => severity),
        incidents.map(({ title }) => title),
        incidents.map(({ openedAtMs }) => openedAtMs),
        incidents.map(({ closedAtMs }) => closedAtMs),
      ],
    );
  }

  async update(tx: SqlExecutor, incidents: readonly Incident[]): Promise<void> {
    if (incidents.length === 0) return;
    await tx.query(
      `UPDATE incidents SET severity = new.severity, closed_at = to_timestamp(new.closed_at_ms / 1000)
       FROM unnest($1::text[], $2::text[], $3::float8[]) AS new (id, severity, closed_at_ms)
       WHERE incidents.id = new.id`,
      [
        incidents.map(({ id }) => id),
        incidents.map(({ severity }) => severity),
        incidents.map(({ closedAtMs }) => closedAtMs),
      ],
    );
  }

  /** Adds stored alerts and their notes to an incident. */
  async join(tx: SqlExecutor, incidentOf: ReadonlyMap<string, string>): Promise<void> {
    if (incidentOf.size === 0) return;
    await tx.query(
      `WITH joined AS (
         SELECT * FROM unnest($1::text[], $2::text[]) AS joined (alert_id, incident_id)
       ), facts AS (
         UPDATE incident_facts AS f SET incident_id = joined.incident_id
         FROM joined WHERE f.alert_id = joined.alert_id AND f.incident_id IS NULL
       )
       UPDATE alerts SET incident_id = joined.incident_id FROM joined WHERE alerts.id = joined.alert_id`,
      [[...incidentOf.keys()], [...incidentOf.values()]],
    );
  }

  async addFacts(tx: SqlExecutor, placed: readonly PlacedNote[]): Promise<void> {
    if (placed.length === 0) return;
    const positions = placed.map(({ note }) => note.position);
    await tx.query(
      `INSERT INTO incident_facts (incident_id, alert_id, position_id, type, message, at, block, band, health_factor,
         collateral_usd, debt_usd)
       SELECT incident_id, alert_id, position_id, type, message, to_timestamp(at_ms / 1000), block, band,
         health_factor, collateral_usd, debt_usd
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::bigint[],
         $8::text[], $9::float8[], $10::float8[], $11::float8[]) WITH ORDINALITY
         AS fact (incident_id, alert_id, position_id, type, message, at_ms, block, band, health_factor, collateral_usd,
           debt_usd, place)
       ORDER BY place`,
      [
        placed.map(({ incidentId }) => incidentId),
        placed.map(({ note }) => note.alert?.id ?? null),
        positions.map(({ id }) => id),
        placed.map(({ note }) => note.type),
        placed.map(({ note }) => note.message),
        placed.map(({ note }) => note.atMs),
        positions.map(({ block }) => block),
        positions.map(({ band }) => band),
        positions.map(({ healthFactor }) => healthFactor),
        positions.map(({ collateralUsd }) => collateralUsd),
        positions.map(({ debtUsd }) => debtUsd),
      ],
    );
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
