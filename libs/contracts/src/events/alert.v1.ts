import { Type, type Static } from '@sinclair/typebox';
import { AlertContentV1 } from '../alert-content';
import { ALERT_RESOLVE_REASONS, ALERT_TYPES, SEVERITIES } from '../alerts';
import { defineEvent } from './define-event';
import { BandName, Nullable, RecordId, Timestamp, oneOf } from './fields';

/** The position of an alert when the alert changed. */
const AlertPosition = Type.Object({
  id: RecordId('pos'),
  healthFactor: Nullable(Type.Number()),
  collateralUsd: Type.Number(),
  debtUsd: Type.Number(),
  protocol: Type.String(),
  chainId: Type.Integer(),
  wallet: Type.String(),
  band: BandName,
});

/** Fields of an alert at a change. */
export const ALERT_FIELDS = {
  alertId: RecordId('alt'),
  accountId: RecordId('acc'),
  status: oneOf(['active', 'resolved'] as const),
  type: oneOf(ALERT_TYPES),
  severity: oneOf(SEVERITIES),
  title: Type.String(),
  message: Type.String(),
  position: Nullable(AlertPosition),
  /** Between 0 and 1. */
  confidenceScore: Type.Number({ minimum: 0, maximum: 1 }),
  createdAt: Timestamp,
  resolvedAt: Nullable(Timestamp),
  /** The account's rule that fired. Absent for alerts without a rule. */
  ruleId: Type.Optional(RecordId('rule')),
  /** The asset of the alert, named by priceSymbol. Absent for alerts without an asset. */
  asset: Type.Optional(Type.String({ minLength: 1 })),
  /** The only webhook endpoint that receives the alert. Absent when all subscribed endpoints receive it. */
  targetWebhookId: Type.Optional(RecordId('wh')),
  /**
   * Present for alerts about a health factor. It is `liquidatable` exactly when the health factor is below 1,
   * otherwise the band of the position, or the level of a depeg where that is worse. Absent in events of
   * earlier releases.
   */
  level: Type.Optional(BandName),
  /**
   * Counts the changes of the alert from 1. A consumer ignores a value that is not above the last one. Absent
   * in the same cases as `level`.
   */
  revision: Type.Optional(Type.Integer({ minimum: 1 })),
  /** When the alert last changed, as GET /v1/alerts has it. Absent in the same cases as `level`, and in events of earlier releases. */
  updatedAt: Type.Optional(Timestamp),
  /**
   * Why the alert resolved. Absent while it is active, for alerts that are not about a state of a position,
   * and in events of earlier releases.
   */
  resolveReason: Type.Optional(oneOf(ALERT_RESOLVE_REASONS)),
  /** The alert that replaced this one when resolveReason is `escalated`. */
  escalatedTo: Type.Optional(RecordId('alt')),
  /** Figures, cause and remedies. Absent in events of earlier releases. */
  content: Type.Optional(AlertContentV1),
  /**
   * The group of alerts with the same cause, if it is known when the event is created. Absent otherwise, and
   * in events of earlier releases.
   */
  groupId: Type.Optional(RecordId('grp')),
};

/** An alert opened or resolved. alert-change.v1 has the changes in between. */
const AlertV1Schema = Type.Object(ALERT_FIELDS);

export type AlertV1 = Static<typeof AlertV1Schema>;
export type AlertPositionV1 = Static<typeof AlertPosition>;

export const alertV1 = defineEvent({
  topic: 'alert.v1',
  schema: AlertV1Schema,
  compacted: false,
  keyOf: (value) => value.accountId,
});
