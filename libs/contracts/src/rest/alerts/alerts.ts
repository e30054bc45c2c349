import { Type } from '@sinclair/typebox';
import { IsIn } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { ALERT_CONTENT_FIELDS, groupId } from '../../alert-content';
import {
  ALERT_RESOLVE_REASONS,
  ALERT_TYPES,
  SEVERITIES,
  type AlertType,
  type Severity,
  type AlertResolveReason,
} from '../../alerts';
import { BANDS, type Band } from '../../bands';
import { PageQuery } from '../fields/paging';
import {
  IdField,
  IntegerField,
  NextCursor,
  NumberField,
  ObjectField,
  TextField,
  TimestampField,
  WordField,
} from '../fields/fields';
import { FieldsOf } from '../fields/combined';
import { Optional } from '../fields/field';

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
export class AlertItem extends FieldsOf(Type.Object({ ...ALERT_CONTENT_FIELDS, groupId })) {
  @IdField('alt', 'Id of the alert.') id!: string;
  @WordField(ALERT_TYPES, 'Type of the alert.') type!: AlertType;

  @WordField(SEVERITIES, 'From mildest to worst: info, low, medium, high, critical.')
  severity!: Severity;

  @TextField('One line of text.') title!: string;
  @TextField('What happened, as text.') message!: string;

  @WordField(ALERT_STATES, 'resolved: the condition is no longer true.')
  status!: (typeof ALERT_STATES)[number];

  @TimestampField('When the condition became true.') createdAt!: string;

  @TimestampField('When the condition became false. Null while active.', { nullable: true })
  resolvedAt!: string | null;

  @Optional() @IdField('rule', 'The rule that fired. Only for alerts of rules.') ruleId?: string;

  @Optional()
  @TextField('Asset whose price moved, ETH for WETH. Only for price_move and oracle_stale.')
  asset?: string;

  @Optional() @IdField('inc', 'The incident of the alert, if there is one.') incidentId?: string;

  @Optional()
  @WordField(
    BANDS,
    'Level of the position at the last change of the alert: liquidatable exactly when the health factor is below 1, otherwise the band with hysteresis, or the level of a depeg where that is worse (cause depeg). Only for health_factor_warning and liquidation_risk.',
  )
  level?: Band;

  @Optional() @TimestampField('When the alert last changed. Present with level.') updatedAt?: string;

  @Optional()
  @IntegerField('Counts the changes of the alert. A higher value is later. Present with level.', { min: 1 })
  revision?: number;

  @Optional()
  @WordField(
    ALERT_RESOLVE_REASONS,
    'Why it resolved: recovered, closed, unwatched, dust (collateral and debt are below minUsd), escalated (escalatedTo replaced it) or retracted (a reorg replaced the block that opened it). Only for resolved alerts about the state of a position.',
  )
  resolveReason?: AlertResolveReason;

  @Optional()
  @IdField('alt', 'The alert that replaced it. Only with resolveReason escalated.')
  escalatedTo?: string;

  @NumberField(
    'How fresh the figures are and how well their sources agree. confidenceBasis has the factors.',
    { min: 0, max: 1 },
  )
  confidenceScore!: number;
}

/** Response of GET /v1/alerts. */
export class AlertList {
  @ObjectField(() => AlertItem, 'Newest first.', { list: true }) alerts!: AlertItem[];
  @NextCursor() nextCursor!: string | null;
}
