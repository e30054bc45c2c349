import { Type, type Static } from '@sinclair/typebox';
import { DELEVERAGE_STRATEGIES } from '../automation';
import { defineEvent } from './define-event';
import { Address, RecordId, Timestamp, oneOf } from './fields';

/**
 * A rule with the action deleverage fired. The execution service brings its position to a health factor on
 * chain. The execution has this id, which alerts also shows. execution.v1 reports its progress.
 */
const AutomationV1Schema = Type.Object({
  executionId: RecordId('exec'),
  accountId: RecordId('acc'),
  ruleId: RecordId('rule'),
  /** Identifies the position without its figures. The execution service reads those from the chain. */
  position: Type.Object({
    id: RecordId('pos'),
    protocol: Type.String({ minLength: 1 }),
    chainId: Type.Integer({ minimum: 1 }),
    market: Type.String(),
    /** Absent where a wallet can have only one position in the market. */
    subId: Type.Optional(Type.String()),
    wallet: Address,
  }),
  targetHealthFactor: Type.Number({ exclusiveMinimum: 1 }),
  strategy: oneOf(DELEVERAGE_STRATEGIES),
  maxSlippageBps: Type.Integer({ minimum: 1 }),
  /** True: run every step except sending. */
  dryRun: Type.Boolean(),
  /** When the rule fired. */
  triggeredAt: Timestamp,
  /** Steps that are not sent by this time are cancelled. */
  deadline: Timestamp,
});

export type AutomationV1 = Static<typeof AutomationV1Schema>;

export const automationV1 = defineEvent({
  topic: 'automation.v1',
  schema: AutomationV1Schema,
  compacted: false,
  keyOf: (value) => value.executionId,
});
