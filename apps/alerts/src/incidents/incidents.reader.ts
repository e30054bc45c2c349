import { Injectable } from '@nestjs/common';
import type { IncidentAnswer, IncidentFact, IncidentItem, IncidentState } from '@plimsoll/contracts';
import { Pool } from 'pg';

/** Most facts in one response. A longer incident is cut after its first ones. */
const MOST_FACTS = 1_000;

const COLUMNS = `i.id, CASE WHEN i.closed_at IS NULL THEN 'open' ELSE 'closed' END AS status, i.severity, i.title,
  i.trigger, i.protocol, i.chain_id AS "chainId", i.opened_at AS "openedAt", i.closed_at AS "closedAt",
  (SELECT count(*)::int FROM alerts AS a WHERE a.incident_id = i.id) AS "alertCount"`;

interface Row extends Omit<IncidentItem, 'openedAt' | 'closedAt'> {
  openedAt: Date;
  closedAt: Date | null;
}
const itemOf = (row: Row): IncidentItem => ({
  ...row,
  openedAt: row.openedAt.toISOString(),
  closedAt: row.closedAt?.toISOString() ?? null,
});

/** Reads incidents for accounts. */
@Injectable()
export class IncidentsReader {
  constructor(private readonly pool: Pool) {}

  /** Newest first, starting after the incident `beforeId`. Ids sort by creation time. */
  async list(
    accountId: string,
    status: IncidentState | undefined,
    beforeId: string | null,
    limit: number,
  ): Promise<IncidentItem[]> {
    const { rows } = await this.pool.query<Row>(
      `SELECT ${COLUMNS} FROM incidents AS i
       WHERE i.account_id = $1 AND ($2::text IS NULL OR i.id < $2)
         AND ($3::text IS NULL OR (i.closed_at IS NULL) = ($3 = 'open'))
       ORDER BY i.id DESC LIMIT $4`,
      [accountId, beforeId, status ?? null, limit],
    );
    return rows.map(itemOf);
  }

  /** Null for an incident of another account. */
  async find(accountId: string, id: string): Promise<IncidentAnswer['incident'] | null> {
    const { rows } = await this.pool.query<Row>(
      `SELECT ${COLUMNS} FROM incidents AS i WHERE i.id = $1 AND i.account_id = $2`,
      [id, accountId],
    );
    const [row] = rows;
    if (!row) return null;
    const timeline = await this.factsOf(id);
    const positionIds = [...new Set(timeline.map(({ positionId }) => positionId))];
    return { ...itemOf(row), positionIds, alertIds: await this.alertIdsOf(id), timeline };
  }

  private async alertIdsOf(incidentId: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `SELECT id FROM alerts WHERE incident_id = $1 ORDER BY id LIMIT ${MOST_FACTS}`,
      [incidentId],
    );
    return rows.map(({ id }) => id);
  }

  private async factsOf(incidentId: string): Promise<IncidentFact[]> {
    const { rows } = await this.pool.query<Omit<IncidentFact, 'at'> & { at: Date }>(
      `SELECT at, type, message, alert_id AS "alertId", position_id AS "positionId", block::float8 AS block, band,
         health_factor AS "healthFactor", collateral_usd AS "collateralUsd", debt_usd AS "debtUsd"
       FROM incident_facts WHERE incident_id = $1 ORDER BY id LIMIT ${MOST_FACTS}`,
      [incidentId],
    );
    return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  }
}
