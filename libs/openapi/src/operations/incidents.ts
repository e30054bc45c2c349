import { IncidentAnswer, IncidentList, ListIncidentsQuery, recordId } from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { ALERT_ID, INCIDENT_ID, POSITION_ID, TIMESTAMP } from './samples';

const INCIDENT = {
  id: INCIDENT_ID,
  status: 'open',
  severity: 'critical',
  title: 'Liquidation risk in aave-v3 on chain 1',
  trigger: 'critical_alert',
  protocol: 'aave-v3',
  chainId: 1,
  alertCount: 1,
  openedAt: TIMESTAMP,
  closedAt: null,
};

export const incidentOperations: Operations = {
  'GET /v1/incidents': {
    operationId: 'listIncidents',
    tag: 'Incidents',
    summary: 'Incidents of the account',
    description:
      'An incident concerns one protocol on one chain. A critical alert, a liquidation, or the third alert there within ten minutes opens it. Later alerts join it. It closes when all its alerts have resolved. Newest first.',
    query: ListIncidentsQuery,
    responses: [
      {
        status: 200,
        description: 'A page of incidents.',
        schema: IncidentList,
        example: { incidents: [INCIDENT], count: 1, nextCursor: null },
      },
    ],
  },
  'GET /v1/incidents/:id': {
    operationId: 'getIncident',
    tag: 'Incidents',
    summary: 'One incident with its timeline',
    description: 'Every fact has its time, its block and the figures of the position at that block.',
    path: { id: recordId('inc', 'Id of the incident.') },
    responses: [
      {
        status: 200,
        description: 'The incident.',
        schema: IncidentAnswer,
        example: {
          incident: {
            ...INCIDENT,
            positionIds: [POSITION_ID],
            alertIds: [ALERT_ID],
            timeline: [
              {
                at: TIMESTAMP,
                type: 'alert_opened',
                message: 'Liquidation risk: health factor 1.0312',
                alertId: ALERT_ID,
                positionId: POSITION_ID,
                block: 21_300_017,
                band: 'critical',
                healthFactor: 1.0312,
                collateralUsd: 7_500,
                debtUsd: 6_000,
              },
            ],
          },
        },
      },
    ],
    errors: ['not_found'],
  },
};
