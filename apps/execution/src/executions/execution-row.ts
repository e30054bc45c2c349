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

/** The part of a plan that the record shows, from the last simulation. */
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

/** The plan of an execution before its first simulation. */
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

/** A stored execution. */
export interface ExecutionRow {
  id: string;
  accountId: string;
  /** The rule that requested it. Null for a direct request. */
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
  /** Increases with each published change. */
  sequence: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/** Values of an execution before anything was sent. */
export const UNSENT = {
  healthFactorAfter: null,
  transactionHash: null,
  includedBlock: null,
  includedHash: null,
  confirmations: 0,
  failure: null,
  sequence: 1,
} as const satisfies Partial<ExecutionRow>;

/** One step of an execution. */
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
