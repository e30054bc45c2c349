import { Type, type Static } from '@sinclair/typebox';
import { DELEVERAGE_STRATEGIES } from '../automation';
import { FAILURE_REASONS, ONCHAIN_STATUSES } from '../execution';
import { defineEvent } from './define-event';
import { Address, Hash, Nullable, RecordId, Timestamp, oneOf } from './fields';

/** An on-chain execution with mode submit reached another status or step. */
const ExecutionV1Schema = Type.Object({
  executionId: RecordId('exec'),
  accountId: RecordId('acc'),
  positionId: RecordId('pos'),
  protocol: Type.String({ minLength: 1 }),
  chainId: Type.Integer({ minimum: 1 }),
  wallet: Address,
  strategy: oneOf(DELEVERAGE_STRATEGIES),
  dryRun: Type.Boolean(),
  /** Only increases for one execution. The higher value is newer. */
  sequence: Type.Integer({ minimum: 1 }),
  status: oneOf(ONCHAIN_STATUSES),
  targetHealthFactor: Type.Number(),
  healthFactorBefore: Nullable(Type.Number({ minimum: 0 })),
  /** Null before the confirmation. */
  healthFactorAfter: Nullable(Type.Number({ minimum: 0 })),
  transactionHash: Nullable(Hash),
  block: Nullable(Type.Integer({ minimum: 0 })),
  confirmations: Type.Integer({ minimum: 0 }),
  failure: Nullable(Type.Object({ code: oneOf(FAILURE_REASONS), message: Type.String({ minLength: 1 }) })),
  at: Timestamp,
});

export type ExecutionV1 = Static<typeof ExecutionV1Schema>;

export const executionV1 = defineEvent({
  topic: 'execution.v1',
  schema: ExecutionV1Schema,
  compacted: false,
  keyOf: (value) => value.executionId,
});
