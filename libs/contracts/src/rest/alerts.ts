import { type Static, Type } from '@sinclair/typebox';
import { IsIn } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { ALERT_TYPES, SEVERITIES } from '../alerts';
import { nextCursor, nullable, oneOf, recordId, timestamp } from './fields';
import { Optional } from './optional';
import { PageQuery } from './paging';

/** States of an alert (api-v1.md, States and transitions). */
export const ALERT_STATES = ['active', 'resolved'] as const;

/** Query of GET /v1/alerts. */
export class ListAlertsQuery extends PageQuery {
  @JSONSchema({ description: 'Only alerts in this state; both when absent.' })
  @Optional()
  @IsIn(ALERT_STATES)
  status?: (typeof ALERT_STATES)[number];
}

/** Alert of the REST API (api-v1.md, Alert). */
export const AlertItem = Type.Object({
  id: recordId('alt', 'Id of the alert.'),
  type: oneOf(ALERT_TYPES, { description: 'What it is about.' }),
  severity: oneOf(SEVERITIES, { description: 'From mildest to worst: info, low, medium, high, critical.' }),
  title: Type.String({ description: 'One line for people.' }),
  message: Type.String({ description: 'What happened, for people.' }),
  status: oneOf(ALERT_STATES, { description: 'resolved: the condition is no longer met.' }),
  positionId: nullable(recordId('pos', 'Id of a position.'), 'The position it is about; null: about none.'),
  createdAt: timestamp('When the condition was first met.'),
  resolvedAt: nullable(timestamp('A moment.'), 'When the condition was no longer met; null while active.'),
  ruleId: Type.Optional(recordId('rule', 'The rule that fired; only where one did.')),
  asset: Type.Optional(
    Type.String({
      description: 'Asset whose price it is about, ETH for WETH; only of price_move and oracle_stale.',
    }),
  ),
  incidentId: Type.Optional(recordId('inc', 'The incident it belongs to; only where there is one.')),
});
export type AlertItem = Static<typeof AlertItem>;

/** Answer of GET /v1/alerts. */
export const AlertList = Type.Object({
  alerts: Type.Array(AlertItem, { description: 'Newest first.' }),
  nextCursor,
});
export type AlertList = Static<typeof AlertList>;
