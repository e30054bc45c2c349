import { type Static, Type } from '@sinclair/typebox';
import { IsIn } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { SEVERITIES } from '../alerts';
import { BANDS } from '../bands';
import { INCIDENT_FACTS, INCIDENT_STATES, INCIDENT_TRIGGERS, type IncidentState } from '../incidents';
import { itemCount, nextCursor, nullable, oneOf, recordId, timestamp, usd } from './fields';
import { Optional } from './optional';
import { PageQuery } from './paging';

/** Query of GET /v1/incidents. */
export class ListIncidentsQuery extends PageQuery {
  @JSONSchema({ description: 'Only incidents in this state. Both when absent.' })
  @Optional()
  @IsIn(INCIDENT_STATES)
  status?: IncidentState;
}

/** List form of an incident. */
export const IncidentItem = Type.Object({
  id: recordId('inc', 'Id of the incident, for POST /v1/ai/postmortem.'),
  status: oneOf(INCIDENT_STATES, { description: 'closed: all its alerts have resolved.' }),
  severity: oneOf(SEVERITIES, { description: 'Highest severity of its alerts.' }),
  title: Type.String({ description: 'One line of text.' }),
  trigger: oneOf(INCIDENT_TRIGGERS, {
    description:
      'The reason why it opened: a critical alert, a liquidation, or the third alert within ten minutes.',
  }),
  protocol: Type.String({ description: 'Protocol id. An incident concerns one protocol on one chain.' }),
  chainId: Type.Integer({ description: 'Chain id.' }),
  alertCount: Type.Integer({ minimum: 0, description: 'Its alerts, including resolved ones.' }),
  openedAt: timestamp('When it opened.'),
  closedAt: nullable(timestamp('A moment.'), 'When its last alert resolved. Null while open.'),
});
export type IncidentItem = Static<typeof IncidentItem>;

/** One entry of an incident's timeline, with the position at that time. */
export const IncidentFact = Type.Object({
  at: timestamp('Time of the block of the figures.'),
  type: oneOf(INCIDENT_FACTS, { description: 'What happened.' }),
  message: Type.String({ description: 'The same as text, with its figures.' }),
  alertId: nullable(recordId('alt', 'Id of an alert.'), 'Alert of the fact. Null without one.'),
  positionId: recordId('pos', 'Position of the fact.'),
  block: nullable(Type.Integer({ minimum: 0 }), 'Block of the figures. Null when unknown.'),
  band: oneOf(BANDS, { description: 'Risk level at that block.' }),
  healthFactor: nullable(Type.Number(), 'At that block. Null without debt.'),
  collateralUsd: usd('Collateral at that block.'),
  debtUsd: usd('Debt at that block.'),
});
export type IncidentFact = Static<typeof IncidentFact>;

/** Response of GET /v1/incidents. */
export const IncidentList = Type.Object({
  incidents: Type.Array(IncidentItem, { description: 'Newest first.' }),
  count: itemCount,
  nextCursor,
});
export type IncidentList = Static<typeof IncidentList>;

/** Response of GET /v1/incidents/:id. */
export const IncidentAnswer = Type.Object({
  incident: Type.Composite([
    IncidentItem,
    Type.Object({
      positionIds: Type.Array(recordId('pos', 'Id of a position.'), { description: 'Its positions.' }),
      alertIds: Type.Array(recordId('alt', 'Id of an alert.'), {
        description: 'Its alerts, oldest first.',
      }),
      timeline: Type.Array(IncidentFact, { description: 'Oldest first; the first 1,000 facts.' }),
    }),
  ]),
});
export type IncidentAnswer = Static<typeof IncidentAnswer>;
