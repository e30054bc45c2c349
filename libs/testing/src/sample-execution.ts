import { type ExecutionV1, derivedId } from '@plimsoll/contracts';

/** execution.v1 of a run on Aave v3 that is in progress. */
export function sampleExecution(over: Partial<ExecutionV1> = {}): ExecutionV1 {
  return {
    executionId: derivedId('exec', 1),
    accountId: derivedId('acc', 1),
    positionId: derivedId('pos', 1),
    protocol: 'aave-v3',
    chainId: 1,
    wallet: `0x${'7'.repeat(40)}`,
    strategy: 'flash_loan_unwind',
    dryRun: false,
    sequence: 1,
    status: 'running',
    targetHealthFactor: 1.5,
    healthFactorBefore: 1.08,
    healthFactorAfter: null,
    transactionHash: null,
    block: null,
    confirmations: 0,
    failure: null,
    at: '2026-11-22T12:00:00.000Z',
    ...over,
  };
}
