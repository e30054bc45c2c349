/**
 * The handling of a plan: it is shown, returned as unsigned transactions, or sent through the executor
 * contract.
 */
export const EXECUTION_MODES = ['simulate', 'build', 'submit'] as const;
export type ExecutionMode = (typeof EXECUTION_MODES)[number];

/** States of an on-chain execution. An execution of a rule can also be skipped (EXECUTION_STATUSES). */
export const ONCHAIN_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type OnchainStatus = (typeof ONCHAIN_STATUSES)[number];

/** Why an execution is refused before anything is sent: `errors[0].code` of execution_refused. */
export const REFUSAL_REASONS = [
  'no_debt',
  'target_reached',
  'infeasible',
  'insufficient_balance',
  'simulation_reverted',
  'target_missed',
  'slippage_exceeded',
  'stale_block',
  'price_mismatch',
  'price_unknown',
  'deadline_passed',
  'switched_off',
  'not_authorised',
  'executor_refused',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Why a started execution failed. in_flight: a rule fired while another execution ran for the position. */
export const FAILURE_REASONS = [
  ...REFUSAL_REASONS,
  'reverted',
  'unconfirmed',
  'unreadable',
  'in_flight',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** Steps of an execution in order. */
export const EXECUTION_STEPS = [
  'accepted',
  'simulated',
  'built',
  'signed',
  'sent',
  'replaced',
  'included',
  'reorged',
  'confirmed',
  'completed',
  'failed',
  'cancelled',
] as const;
export type ExecutionStepName = (typeof EXECUTION_STEPS)[number];
