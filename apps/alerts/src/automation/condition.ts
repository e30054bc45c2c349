import type { ConditionType } from '@plimsoll/contracts';

/** Conditions that wait for the risk engine: nothing computes what they look at (docs/decisions/0008). */
export const UNAVAILABLE_CONDITIONS = ['risk_score_above', 'liquidation_probability_above'] as const;
export type AvailableConditionType = Exclude<ConditionType, (typeof UNAVAILABLE_CONDITIONS)[number]>;

/** What a rule waits for. */
export interface Condition {
  conditionType: AvailableConditionType;
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
  /** The protocol's own oracle prices in USD, by symbol, of the assets that the position holds. */
  prices: Readonly<Record<string, number>>;
}

interface ConditionKind {
  side: 'below' | 'above';
  /** Null: not known, because the position does not hold the asset. */
  valueOf(figures: ConditionFigures, asset: string | null): number | null;
  /** How far beyond the threshold the value must come back before the condition is cleared. */
  margin(conditionValue: number): number;
  /** Values that a rule may give. */
  range: readonly [min: number, max: number];
}

const onePercent = (conditionValue: number): number => Math.abs(conditionValue) * 0.01;
/** As the bands: a position that hovers at an edge makes no stream of alerts. */
const healthFactorMargin = (): number => 0.02;
const onePoint = (): number => 1;
const healthFactorOf = ({ healthFactor }: ConditionFigures): number => healthFactor ?? Infinity;
const priceOf = ({ prices }: ConditionFigures, asset: string | null): number | null =>
  asset === null ? null : (prices[asset] ?? null);

const HEALTH_FACTORS = [0.01, 1_000] as const;
const AMOUNTS = [0.01, 1e15] as const;
const PRICES = [1e-12, 1e12] as const;

export const CONDITION_KINDS: Readonly<Record<AvailableConditionType, ConditionKind>> = {
  health_factor_below: {
    side: 'below',
    valueOf: healthFactorOf,
    margin: healthFactorMargin,
    range: HEALTH_FACTORS,
  },
  health_factor_above: {
    side: 'above',
    valueOf: healthFactorOf,
    margin: healthFactorMargin,
    range: HEALTH_FACTORS,
  },
  ltv_above: { side: 'above', valueOf: ltvOf, margin: onePercent, range: [0.0001, 10] },
  collateral_usd_below: {
    side: 'below',
    valueOf: ({ collateralUsd }) => collateralUsd,
    margin: onePercent,
    range: AMOUNTS,
  },
  debt_usd_above: { side: 'above', valueOf: ({ debtUsd }) => debtUsd, margin: onePercent, range: AMOUNTS },
  liquidation_distance_below: {
    side: 'below',
    valueOf: liquidationDistanceOf,
    margin: onePoint,
    range: [0.01, 99.99],
  },
  price_below: { side: 'below', valueOf: priceOf, margin: onePercent, range: PRICES },
  price_above: { side: 'above', valueOf: priceOf, margin: onePercent, range: PRICES },
};

export function isAvailable(type: ConditionType): type is AvailableConditionType {
  return type in CONDITION_KINDS;
}

export function isPriceCondition(type: ConditionType): boolean {
  return type === 'price_below' || type === 'price_above';
}

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
