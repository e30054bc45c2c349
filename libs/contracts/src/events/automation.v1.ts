import { Type, type Static } from '@sinclair/typebox';
import { DELEVERAGE_STRATEGIES } from '../automation';
import { defineEvent } from './define-event';
import { Address, RecordId, Timestamp, oneOf } from './fields';

/**
 * A rule whose action is deleverage fired: its position is to be brought to a health factor on chain. The execution is the
 * one with this id, which alerts shows already (contracts.md, Ids); what becomes of it is told by execution.v1.
 */
const AutomationV1Schema = Type.Object({
  executionId: RecordId('exec'),
  accountId: RecordId('acc'),
  ruleId: RecordId('rule'),
  /** Which position the id stands for: none of its figures, those are read from the chain. */
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
  /** True: everything but the sending. */
  dryRun: Type.Boolean(),
  /** When the rule fired. */
  triggeredAt: Timestamp,
  /** What is not sent by then is cancelled. */
  deadline: Timestamp,
});

export type AutomationV1 = Static<typeof AutomationV1Schema>;

export const automationV1 = defineEvent({
  topic: 'automation.v1',
  schema: AutomationV1Schema,
  compacted: false,
  keyOf: (value) => value.executionId,
});
