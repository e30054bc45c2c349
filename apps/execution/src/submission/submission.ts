import type { Correlation } from '@plimsoll/contracts';
import type { Address, Hex } from 'viem';
import type { ExecutionRow } from '../executions/execution-row';

/** What was signed, for whoever has to sign it again with a higher fee; amounts as digits. */
export interface StoredRun {
  executor: Address;
  data: Hex;
  gas: string;
  /** Last second in which the executor takes it. */
  deadlineSeconds: number;
  policyId: Hex;
  /** Of the policy's runs. */
  number: string;
}

/** An execution that a process has in hand: no other writes to it while the lease is its own. */
export interface Submission extends ExecutionRow {
  lease: string;
  run: StoredRun | null;
  cause: Correlation;
}

/** A transaction that was signed; several of one execution share a nonce, and one of them at most gets into a block. */
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
  /** Null: no node has said that it has it. */
  sentAtMs: number | null;
}

/** Another process has the execution in hand: nothing was written, and this one leaves it alone. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}
