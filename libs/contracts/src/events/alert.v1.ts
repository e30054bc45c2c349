import { Type, type Static } from '@sinclair/typebox';
import { AlertContent } from '../alert-content';
import { ALERT_RESOLVE_REASONS, ALERT_TYPES, SEVERITIES } from '../alerts';
import { defineEvent } from './define-event';
import { BandName, Nullable, RecordId, Timestamp, oneOf } from './fields';

/** The position an alert is about, as it was when the alert changed. */
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

/** Fields of an alert at the moment of a change. */
export const ALERT_FIELDS = {
  alertId: RecordId('alt'),
  accountId: RecordId('acc'),
  status: oneOf(['active', 'resolved'] as const),
  type: oneOf(ALERT_TYPES),
  severity: oneOf(SEVERITIES),
  title: Type.String(),
  message: Type.String(),
  position: Nullable(AlertPosition),
  /** 0 to 1 (decisions.md, Values: confidenceScore). */
  confidenceScore: Type.Number({ minimum: 0, maximum: 1 }),
  createdAt: Timestamp,
  resolvedAt: Nullable(Timestamp),
  /** The account's rule that fired; absent for alerts that no rule made. */
  ruleId: Type.Optional(RecordId('rule')),
  /** The asset that it is about, as priceSymbol gives it; absent for alerts that are about none. */
  asset: Type.Optional(Type.String({ minLength: 1 })),
  /** The one webhook endpoint that is told; absent: all that want alerts (contracts.md, Alerts). */
  targetWebhookId: Type.Optional(RecordId('wh')),
  /**
   * Of alerts about a health factor: `liquidatable` exactly when it is below 1, otherwise the band of the position, or the
   * level of a depeg where that is worse.
   * Absent for other alerts, and in events of earlier releases.
   */
  level: Type.Optional(BandName),
  /** Counts the changes of the alert from 1; a consumer ignores a lower one than it has seen. Absent as `level`. */
  revision: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Why it resolved; absent while it is active, for other alerts than those about a state of a position, and in events of earlier releases. */
  resolveReason: Type.Optional(oneOf(ALERT_RESOLVE_REASONS)),
  /** The alert that replaced it, where resolveReason is `escalated`. */
  escalatedTo: Type.Optional(RecordId('alt')),
  /** Figures, cause and remedies; absent in events of earlier releases. */
  content: Type.Optional(AlertContent),
  /** The group of alerts of one cause, where it is known when the event is made; absent otherwise, and in events of earlier releases. */
  groupId: Type.Optional(RecordId('grp')),
};

/** An alert was created or resolved; alert-change.v1 has what happens to it in between. */
const AlertV1Schema = Type.Object(ALERT_FIELDS);

export type AlertV1 = Static<typeof AlertV1Schema>;
export type AlertPositionV1 = Static<typeof AlertPosition>;

export const alertV1 = defineEvent({
  topic: 'alert.v1',
  schema: AlertV1Schema,
  compacted: false,
  keyOf: (value) => value.accountId,
});
