import { type Static, Type } from '@sinclair/typebox';
import { IsIn } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { ALERT_CONTENT_FIELDS, groupId } from '../alert-content';
import { ALERT_RESOLVE_REASONS, ALERT_TYPES, SEVERITIES } from '../alerts';
import { BANDS, type Band } from '../bands';
import { nextCursor, nullable, oneOf, recordId, timestamp } from './fields';
import { Optional } from './optional';
import { PageQuery } from './paging';

/** States of an alert. */
export const ALERT_STATES = ['active', 'resolved'] as const;

/** Query of GET /v1/alerts. */
export class ListAlertsQuery extends PageQuery {
  @JSONSchema({ description: 'Only alerts in this state. Both when absent.' })
  @Optional()
  @IsIn(ALERT_STATES)
  status?: (typeof ALERT_STATES)[number];
}

/** Alert of the REST API. */
export const AlertItem = Type.Object({
  id: recordId('alt', 'Id of the alert.'),
  type: oneOf(ALERT_TYPES, { description: 'Type of the alert.' }),
  severity: oneOf(SEVERITIES, { description: 'From mildest to worst: info, low, medium, high, critical.' }),
  title: Type.String({ description: 'One line of text.' }),
  message: Type.String({ description: 'What happened, as text.' }),
  status: oneOf(ALERT_STATES, { description: 'resolved: the condition is no longer true.' }),
  createdAt: timestamp('When the condition became true.'),
  resolvedAt: nullable(timestamp('A moment.'), 'When the condition became false. Null while active.'),
  ruleId: Type.Optional(recordId('rule', 'The rule that fired. Only for alerts of rules.')),
  asset: Type.Optional(
    Type.String({
      description: 'Asset whose price moved, ETH for WETH. Only for price_move and oracle_stale.',
    }),
  ),
  incidentId: Type.Optional(recordId('inc', 'The incident of the alert, if there is one.')),
  level: Type.Optional(
    oneOf<Band>(BANDS, {
      description:
        'Level of the position at the last change of the alert: liquidatable exactly when the health factor is below 1, otherwise the band with hysteresis, or the level of a depeg where that is worse (cause depeg). Only for health_factor_warning and liquidation_risk.',
    }),
  ),
  updatedAt: Type.Optional(timestamp('When the alert last changed. Present with level.')),
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Counts the changes of the alert. A higher value is later. Present with level.',
    }),
  ),
  resolveReason: Type.Optional(
    oneOf(ALERT_RESOLVE_REASONS, {
      description:
        'Why it resolved: recovered, closed, unwatched, dust (collateral and debt are below minUsd), escalated (escalatedTo replaced it) or retracted (a reorg replaced the block that opened it). Only for resolved alerts about the state of a position.',
    }),
  ),
  escalatedTo: Type.Optional(
    recordId('alt', 'The alert that replaced it. Only with resolveReason escalated.'),
  ),
  ...ALERT_CONTENT_FIELDS,
  groupId,
  confidenceScore: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'How fresh the figures are and how well their sources agree. confidenceBasis has the factors.',
  }),
});
export type AlertItem = Static<typeof AlertItem>;

/** Response of GET /v1/alerts. */
export const AlertList = Type.Object({
  alerts: Type.Array(AlertItem, { description: 'Newest first.' }),
  nextCursor,
});
export type AlertList = Static<typeof AlertList>;
