import type { ExecutionV1 } from '@plimsoll/contracts';
import type { ExecutionRow } from '../executions/execution-row';

/** Returns execution.v1 of an execution. */
export function executionEvent(row: ExecutionRow): ExecutionV1 {
  return {
    executionId: row.id,
    accountId: row.accountId,
    positionId: row.positionId,
    protocol: row.protocol,
    chainId: row.chainId,
    wallet: row.wallet,
    strategy: row.strategy,
    dryRun: row.dryRun,
    sequence: row.sequence,
    status: row.status,
    targetHealthFactor: row.targetHealthFactor,
    healthFactorBefore: row.plan.healthFactorBefore,
    healthFactorAfter: row.healthFactorAfter,
    transactionHash: row.transactionHash,
    block: row.includedBlock,
    confirmations: row.confirmations,
    failure: row.failure,
    at: new Date(row.updatedAtMs).toISOString(),
  };
}
