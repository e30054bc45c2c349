import { Type, type Static } from '@sinclair/typebox';
import { ALERT_CHANGES, ALERT_SILENCES, SEVERITIES } from '../alerts';
import { ALERT_FIELDS } from './alert.v1';
import { defineEvent } from './define-event';
import { BandName, oneOf } from './fields';

/**
 * An active alert became worse, or its figures or its level changed. The topic is separate because alert.v1
 * only carries opened and resolved alerts.
 */
const AlertChangeV1Schema = Type.Object({
  ...ALERT_FIELDS,
  change: oneOf(ALERT_CHANGES),
  previousSeverity: oneOf(SEVERITIES),
  previousLevel: BandName,
  /** `retracted`: a reorg replaced the block in which the alert last became worse. Absent otherwise. */
  reason: Type.Optional(oneOf(['retracted'] as const)),
  /**
   * A snooze or mute of the alert ended, and this is its state now. Absent otherwise, and in events of earlier
   * releases.
   */
  silenceEnded: Type.Optional(oneOf(ALERT_SILENCES)),
});

export type AlertChangeV1 = Static<typeof AlertChangeV1Schema>;

export const alertChangeV1 = defineEvent({
  topic: 'alert-change.v1',
  schema: AlertChangeV1Schema,
  compacted: false,
  keyOf: (value) => value.accountId,
});
