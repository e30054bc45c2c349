import type { Correlation, ExecutionV1 } from '@plimsoll/contracts';
import type { Address, Hex } from 'viem';
import type { ExecutionRow } from '../executions/execution-row';

/** The signed run, for a repetition with a higher fee. Amounts are digits. */
export interface StoredRun {
  executor: Address;
  data: Hex;
  gas: string;
  /** Last second in which the executor accepts it. */
  deadlineSeconds: number;
  policyId: Hex;
  /** Number among the policy's runs. */
  number: string;
}

/** An execution under this process's lease. No other process writes to it while the lease is valid. */
export interface Submission extends ExecutionRow {
  lease: string;
  run: StoredRun | null;
  cause: Correlation;
}

/**
 * A signed transaction. Several of one execution share a nonce, and at most one of them gets into a block.
 */
export interface SignedAttempt {
  attempt: number;
  kind: 'run' | 'cancel';
  sender: Address;
  nonce: number;
  hash: Hex;
  raw: Hex;
  maxFee: bigint;
  priorityFee: bigint;
  signedAtMs: number;
  /** Null until a node has confirmed that it has it. */
  sentAtMs: number | null;
}

/** Another process holds the execution. Nothing was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

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
