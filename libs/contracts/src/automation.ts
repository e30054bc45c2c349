/** What a rule looks at, and on which side of its value it fires (decisions.md, Values: conditionType). */
export const CONDITION_TYPES = [
  'health_factor_below',
  'health_factor_above',
  'ltv_above',
  'collateral_usd_below',
  'debt_usd_above',
  'risk_score_above',
  'liquidation_distance_below',
  'liquidation_probability_above',
  'price_below',
  'price_above',
] as const;
export type ConditionType = (typeof CONDITION_TYPES)[number];

/** What a rule does when it fires (decisions.md, Values: actionType). */
export const ACTION_TYPES = ['alert', 'webhook', 'deleverage'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

/** States of an execution of a rule (decisions.md, Values). */
export const EXECUTION_STATUSES = [
  'pending',
  'running',
  'completed',
  'failed',
  'skipped',
  'cancelled',
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** How a position is deleveraged (decisions.md, Values: strategy). */
export const DELEVERAGE_STRATEGIES = ['repay_debt', 'sell_collateral', 'flash_loan_unwind'] as const;
export type DeleverageStrategy = (typeof DELEVERAGE_STRATEGIES)[number];
