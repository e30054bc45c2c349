import type { ExecutionStatus, ExecutionV1 } from '@plimsoll/contracts';
import { formatHealthFactor } from '../../content/format-figures';
import type { OnchainProgress } from '../rule/executions.repository';

type Failure = NonNullable<ExecutionV1['failure']>;

/** Not failures: another execution does it, or nothing remains to do. */
const SKIPPING: ReadonlySet<Failure['code']> = new Set(['in_flight', 'target_reached', 'no_debt']);

/** Returns the progress of a rule's execution from execution.v1. */
export function onchainProgress(event: ExecutionV1): OnchainProgress {
  const { executionId, sequence } = event;
  const status = statusOf(event);
  const isOver = status !== 'pending' && status !== 'running';
  const finishedAtMs = isOver ? Date.parse(event.at) : null;
  return { executionId, sequence, status, result: resultOf(event, status), finishedAtMs };
}

/**
 * Returns whether to alert the account: the execution should have run and did not. Only the service cancels
 * executions.
 */
export function isFailure(event: ExecutionV1): boolean {
  return !event.dryRun && ['failed', 'cancelled'].includes(statusOf(event));
}

function statusOf({ status, failure }: ExecutionV1): ExecutionStatus {
  return status === 'failed' && failure !== null && SKIPPING.has(failure.code) ? 'skipped' : status;
}

function resultOf(event: ExecutionV1, status: ExecutionStatus): string {
  const { failure, transactionHash, block, healthFactorBefore, healthFactorAfter, dryRun } = event;
  const transaction = transactionHash === null ? '' : ` Transaction ${transactionHash}.`;
  switch (status) {
    case 'pending':
      return 'Accepted. It is simulated on the newest block next.';
    case 'running':
      return block === null
        ? `Signed, and waiting for its block.${transaction}`
        : `In block ${block}, and being confirmed.${transaction}`;
    case 'completed':
      return dryRun
        ? 'A dry run: every step except sending was done.'
        : `The health factor went from ${formatHealthFactor(healthFactorBefore)} to ${formatHealthFactor(healthFactorAfter)} in block ${block}.${transaction}`;
    case 'skipped':
      return `Not executed: ${failure?.message}`;
    default:
      return `${failure?.message ?? 'It did not happen.'}${transaction}`;
  }
}
