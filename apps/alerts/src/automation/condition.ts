import { type ConditionType, priceSymbol } from '@plimsoll/contracts';

/** What a rule waits for. */
export interface Condition {
  conditionType: ConditionType;
  conditionValue: number;
  /** Symbol; null where no price is looked at. */
  asset: string | null;
}

/** What conditions look at in a position. */
export interface ConditionFigures {
  /** Null: no debt. */
  healthFactor: number | null;
  collateralUsd: number;
  debtUsd: number;
  /** Fresh market prices in USD, as price.v1 names their assets. */
  prices: Readonly<Record<string, number>>;
  /** 0 to 100; null: not known yet. */
  riskScore: number | null;
  /** Within 30 days, 0 to 1; null: not known yet. */
  liquidationProbability: number | null;
}

interface ConditionKind {
  side: 'below' | 'above';
  /** Null: not known, as a price without a fresh source. */
  valueOf(figures: ConditionFigures, asset: string | null): number | null;
  /** How far beyond the threshold the value must come back before the condition is cleared. */
  margin(conditionValue: number): number;
}

/** Share by which a price must come back. */
export const PRICE_MARGIN = 0.01;
const onePercent = (conditionValue: number): number => Math.abs(conditionValue) * PRICE_MARGIN;
/** As the bands: a position that hovers at an edge makes no stream of alerts. */
const healthFactorMargin = (): number => 0.02;
const onePoint = (): number => 1;
/** Simulated figures are uncertain by about as much; a small threshold must be left all the same. */
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

/** `held`: between the threshold and its margin, so that things stay as they are. `unknown`: there is no value. */
export type ConditionVerdict = 'met' | 'held' | 'cleared' | 'unknown';

/** What a position's figures say about a condition, and the value they say it by. */
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

/** Uniform fall of all collateral that liquidates, percent (risk-model: distancePercent). */
function liquidationDistanceOf({ healthFactor }: ConditionFigures): number {
  if (healthFactor === null) return Infinity;
  return healthFactor === 0 ? -Infinity : (1 - 1 / healthFactor) * 100;
}
