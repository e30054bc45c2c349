/** The figure that a rule compares, and the side of its value on which it fires. */
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

/** Conditions on figures of the simulation service. */
export const RISK_CONDITIONS = [
  'risk_score_above',
  'liquidation_probability_above',
] as const satisfies readonly ConditionType[];

const HEALTH_FACTORS = [0.01, 1_000] as const;
const AMOUNTS_USD = [0.01, 1e15] as const;
const PRICES_USD = [1e-12, 1e12] as const;

/**
 * Smallest and largest conditionValue of each condition. Health factors and LTV are ratios, so that 80 never
 * means 80 %. Distance is in percent. Probabilities are between 0 and 1.
 */
export const CONDITION_VALUE_RANGES: Readonly<Record<ConditionType, readonly [min: number, max: number]>> = {
  health_factor_below: HEALTH_FACTORS,
  health_factor_above: HEALTH_FACTORS,
  ltv_above: [0.0001, 10],
  collateral_usd_below: AMOUNTS_USD,
  debt_usd_above: AMOUNTS_USD,
  risk_score_above: [0.01, 99.99],
  liquidation_distance_below: [0.01, 99.99],
  liquidation_probability_above: [0.0001, 0.9999],
  price_below: PRICES_USD,
  price_above: PRICES_USD,
};

/** Returns true for a condition on the price of an asset. The rule must name that asset. */
export function isPriceCondition(type: ConditionType): boolean {
  return type === 'price_below' || type === 'price_above';
}

/** Returns true for a condition on a figure of the simulation service. */
export function isRiskCondition(type: ConditionType): boolean {
  return (RISK_CONDITIONS as readonly ConditionType[]).includes(type);
}

/** The action of a rule when it fires. */
export const ACTION_TYPES = ['alert', 'webhook', 'deleverage'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

/** States of an execution of a rule. */
export const EXECUTION_STATUSES = [
  'pending',
  'running',
  'completed',
  'failed',
  'skipped',
  'cancelled',
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** How a position is deleveraged. */
export const DELEVERAGE_STRATEGIES = ['repay_debt', 'sell_collateral', 'flash_loan_unwind'] as const;
export type DeleverageStrategy = (typeof DELEVERAGE_STRATEGIES)[number];
