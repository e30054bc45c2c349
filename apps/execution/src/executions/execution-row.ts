import type {
  DeleverageStrategy,
  ExecutionMode,
  ExecutionRecord,
  ExecutionStep,
  ExecutionStepName,
  FailureReason,
  OnchainStatus,
} from '@plimsoll/contracts';
import type { Address } from 'viem';

/** What a plan says, as the record shows it; as it was when the execution was simulated last. */
export type PlanRecord = Pick<
  ExecutionRecord,
  | 'block'
  | 'blockHash'
  | 'healthFactorBefore'
  | 'predictedHealthFactor'
  | 'predictedHealthFactorRaw'
  | 'repays'
  | 'sells'
  | 'costs'
  | 'fees'
  | 'transactions'
  | 'permit'
>;

/** Before an execution was simulated for the first time. */
export const UNPLANNED: PlanRecord = {
  block: null,
  blockHash: null,
  healthFactorBefore: null,
  predictedHealthFactor: null,
  predictedHealthFactorRaw: null,
  repays: [],
  sells: [],
  costs: { gasUnits: 0, feeUsd: 0, slippageUsd: 0, flashPremiumUsd: 0 },
  fees: null,
  transactions: [],
  permit: null,
};

/** An execution as it is stored. */
export interface ExecutionRow {
  id: string;
  accountId: string;
  /** The rule that asked for it; null: a call did. */
  ruleId: string | null;
  positionId: string;
  mode: ExecutionMode;
  dryRun: boolean;
  strategy: DeleverageStrategy;
  status: OnchainStatus;
  protocol: string;
  chainId: number;
  market: string;
  subId: string | null;
  wallet: Address;
  targetHealthFactor: number;
  maxSlippageBps: number;
  asset: string | null;
  deadlineMs: number;
  plan: PlanRecord;
  healthFactorAfter: number | null;
  transactionHash: string | null;
  includedBlock: number | null;
  includedHash: string | null;
  confirmations: number;
  failure: { code: FailureReason; message: string } | null;
  /** Grows with each change that is published. */
  sequence: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/** What an execution has before anything was sent. */
export const UNSENT = {
  healthFactorAfter: null,
  transactionHash: null,
  includedBlock: null,
  includedHash: null,
  confirmations: 0,
  failure: null,
  sequence: 1,
} as const satisfies Partial<ExecutionRow>;

/** One thing that happened. */
export interface StepRow {
  name: ExecutionStepName;
  atMs: number;
  detail: string | null;
  transactionHash: string | null;
  block: number | null;
}

export function stepOf({ name, atMs, detail, transactionHash, block }: StepRow): ExecutionStep {
  return { name, at: new Date(atMs).toISOString(), detail, transactionHash, block };
}
