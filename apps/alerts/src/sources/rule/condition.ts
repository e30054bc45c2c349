import { type ConditionType, priceSymbol } from '@plimsoll/contracts';

/** The condition of a rule. */
export interface Condition {
  conditionType: ConditionType;
  conditionValue: number;
  /** Symbol. Null for a condition without a price. */
  asset: string | null;
}

/** The figures of a position on which conditions depend. */
export interface ConditionFigures {
  /** Null without debt. */
  healthFactor: number | null;
  collateralUsd: number;
  debtUsd: number;
  /** Fresh market prices in USD, as price.v1 names their assets. */
  prices: Readonly<Record<string, number>>;
  /** 0 to 100. Null when there is no figure yet. */
  riskScore: number | null;
  /** Within 30 days, 0 to 1. Null when there is no figure yet. */
  liquidationProbability: number | null;
}

interface ConditionKind {
  side: 'below' | 'above';
  /** Null without a value, such as a price without a fresh source. */
  valueOf(figures: ConditionFigures, asset: string | null): number | null;
  /** Distance behind the threshold at which the condition is cleared. */
  margin(conditionValue: number): number;
}

/** Share of the price threshold by which a price must return. */
export const PRICE_MARGIN = 0.01;
const onePercent = (conditionValue: number): number => Math.abs(conditionValue) * PRICE_MARGIN;
/**
 * The hysteresis of the bands, so that a position at the threshold does not open and resolve alerts
 * repeatedly.
 */
const healthFactorMargin = (): number => 0.02;
const onePoint = (): number => 1;
/**
 * The error of simulated figures is about this large. Half of a small threshold keeps it possible to clear.
 */
const pointOrHalf =
  (point: number) =>
  (conditionValue: number): number =>
    Math.min(point, conditionValue / 2);
const healthFactorOf = ({ healthFactor }: ConditionFigures): number => healthFactor ?? Infinity;
const priceOf = ({ prices }: ConditionFigures, asset: string | null): number | null =>
  asset === null ? null : (prices[priceSymbol(asset)] ?? null);

export const CONDITION_KINDS: Readonly<Record<ConditionType, ConditionKind>> = {
  health_factor_below: { side: 'below', valueOf: healthFactorOf, margin: healthFactorMargin },
  health_factor_above: { side: 'above', valueOf: healthFactorOf, margin: healthFactorMargin },
  ltv_above: { side: 'above', valueOf: ltvOf, margin: onePercent },
  collateral_usd_below: { side: 'below', valueOf: ({ collateralUsd }) => collateralUsd, margin: onePercent },
  debt_usd_above: { side: 'above', valueOf: ({ debtUsd }) => debtUsd, margin: onePercent },
  risk_score_above: { side: 'above', valueOf: ({ riskScore }) => riskScore, margin: pointOrHalf(1) },
  liquidation_probability_above: {
    side: 'above',
    valueOf: ({ liquidationProbability }) => liquidationProbability,
    margin: pointOrHalf(0.01),
  },
  liquidation_distance_below: { side: 'below', valueOf: liquidationDistanceOf, margin: onePoint },
  price_below: { side: 'below', valueOf: priceOf, margin: onePercent },
  price_above: { side: 'above', valueOf: priceOf, margin: onePercent },
};

/** `held`: between the threshold and its margin, so nothing changes. `unknown`: there is no value. */
export type ConditionVerdict = 'met' | 'held' | 'cleared' | 'unknown';

/** Returns the verdict on a condition for a position's figures, and the value it is based on. */
export function judge(
  { conditionType, conditionValue, asset }: Condition,
  figures: ConditionFigures,
): { verdict: ConditionVerdict; value: number | null } {
  const { side, valueOf, margin } = CONDITION_KINDS[conditionType];
  const value = valueOf(figures, asset);
  if (value === null) return { verdict: 'unknown', value };
  const beyond = side === 'below' ? conditionValue - value : value - conditionValue;
  if (beyond > 0) return { verdict: 'met', value };
  return { verdict: -beyond >= margin(conditionValue) ? 'cleared' : 'held', value };
}

function ltvOf({ collateralUsd, debtUsd }: ConditionFigures): number {
  if (debtUsd === 0) return 0;
  return collateralUsd === 0 ? Infinity : debtUsd / collateralUsd;
}

/** Uniform fall of all collateral at which the position is liquidatable, percent. */
function liquidationDistanceOf({ healthFactor }: ConditionFigures): number {
  if (healthFactor === null) return Infinity;
  return healthFactor === 0 ? -Infinity : (1 - 1 / healthFactor) * 100;
}
