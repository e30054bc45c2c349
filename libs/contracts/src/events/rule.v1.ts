import { Type, type Static } from '@sinclair/typebox';
import { ACTION_TYPES, CONDITION_TYPES } from '../automation';
import { defineEvent } from './define-event';
import { Nullable, RecordId, Timestamp, oneOf } from './fields';

/**
 * Full state of an automation rule. While it is active, its position is tracked even when no account watches
 * the wallet. A tombstone under its id deletes the rule.
 */
const RuleV1Schema = Type.Object({
  ruleId: RecordId('rule'),
  accountId: RecordId('acc'),
  positionId: RecordId('pos'),
  isActive: Type.Boolean(),
  conditionType: oneOf(CONDITION_TYPES),
  /** In the unit of the condition: a ratio, USD or percent (docs/decisions/0008-rules-and-drops.md). */
  conditionValue: Type.Number(),
  /** Symbol whose price the condition compares. Null for conditions without a price. */
  asset: Nullable(Type.String({ minLength: 1 })),
  actionType: oneOf(ACTION_TYPES),
  updatedAt: Timestamp,
});

export type RuleV1 = Static<typeof RuleV1Schema>;

export const ruleV1 = defineEvent({
  topic: 'rule.v1',
  schema: RuleV1Schema,
  compacted: true,
  keyOf: (value) => value.ruleId,
});
