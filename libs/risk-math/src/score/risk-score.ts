/** Levels of a position from safest to worst; `none` has no debt. */
export type ScoredLevel = 'none' | 'low' | 'moderate' | 'high' | 'critical' | 'liquidatable';

/** The least score of each level: the edges of `riskLabel`, and 100 for liquidatable positions. */
export const LEVEL_FLOORS: Readonly<Record<ScoredLevel, number>> = {
  none: 0,
  low: 0,
  moderate: 25,
  high: 50,
  critical: 75,
  liquidatable: 100,
};
/** The range of a level's scores above its floor, which ends just below the next floor. */
const SPAN = 24.9;

/**
 * The score of a position at a level, so that its `riskLabel` is the level's own word (low without debt,
 * critical when it can be liquidated): floor + 24.9·base/100. The level states the distance to a liquidation.
 * The base score ranks the positions of one level by everything else. A position without debt has the base
 * score, at most 24.9. Error: one rounding. Source: our own definition, docs/model.md.
 * @param baseScore 0–100, of `riskScore`
 */
export function scoreOfLevel(baseScore: number, level: ScoredLevel): number {
  if (level === 'liquidatable') return LEVEL_FLOORS.liquidatable;
  if (level === 'none') return Math.min(baseScore, SPAN);
  return LEVEL_FLOORS[level] + (SPAN * baseScore) / 100;
}

/** The parts of a position's risk score, each 0–100. */
export interface RiskFactors {
  healthFactor: number;
  collateralVolatility: number;
  debtConcentration: number;
  protocolRisk: number;
}

/** The class of a protocol, by age, audits and incidents. */
export type RiskTier = 'low' | 'medium' | 'high';

export type RiskLabel = 'low' | 'moderate' | 'high' | 'critical';

/** The inputs of the score. */
export interface RiskScoreInput {
  /** null without debt. */
  healthFactor: number | null;
  /** σ(ln HF) per √year: near 0 for staked ETH against ETH. */
  logHealthVolatility: number;
  /** USD by debt asset, in any order; a debt of 0 does not count. */
  debtUsd: readonly number[];
  riskTier: RiskTier;
  /** Probability of liquidation within 30 days, 0–1. */
  liquidationProbability30d: number;
}

const WEIGHTS: RiskFactors = {
  healthFactor: 0.5,
  collateralVolatility: 0.25,
  debtConcentration: 0.05,
  protocolRisk: 0.2,
};
const PROTOCOL_RISK: Readonly<Record<RiskTier, number>> = { low: 10, medium: 40, high: 75 };
/** The health factor at and above which it adds no risk. */
const SAFE_HEALTH_FACTOR = 3;
/** Volatility per √year at which its factor is full. */
const FULL_VOLATILITY = 1.2;
const MAX_WITHOUT_DEBT = 20;

const clamp = (value: number): number => Math.min(100, Math.max(0, value));

/** Σ shareᵢ² × 100: 100 for a single debt, 0 without debt. */
function herfindahl(debtUsd: readonly number[]): number {
  const total = debtUsd.reduce((sum, usd) => sum + usd, 0);
  return total === 0 ? 0 : debtUsd.reduce((sum, usd) => sum + (usd / total) ** 2, 0) * 100;
}

function healthFactorRisk(healthFactor: number | null): number {
  if (healthFactor === null) return 0;
  if (healthFactor <= 0) return 100;
  return clamp(100 * (1 - Math.log(healthFactor) / Math.log(SAFE_HEALTH_FACTOR)));
}

/**
 * The four parts: f1 = 100(1 − ln HF / ln 3), f2 = 100·σ/1.2, f3 = Herfindahl index of the debts, f4 by tier.
 */
export function riskFactors(input: RiskScoreInput): RiskFactors {
  return {
    healthFactor: healthFactorRisk(input.healthFactor),
    collateralVolatility: clamp((100 * input.logHealthVolatility) / FULL_VOLATILITY),
    debtConcentration: herfindahl(input.debtUsd),
    protocolRisk: PROTOCOL_RISK[input.riskTier],
  };
}

/** Below 25 low, below 50 moderate, below 75 high, else critical. */
export function riskLabel(score: number): RiskLabel {
  if (score < 25) return 'low';
  if (score < 50) return 'moderate';
  return score < 75 ? 'high' : 'critical';
}

/**
 * Base score of a position, 0–100, before its level is applied (`scoreOfLevel`): max(base, 100·√P30) with
 * base = 0.50 f1 + 0.25 f2 + 0.05 f3 + 0.20 f4. HF < 1 gives 100. A position without debt has the base, at
 * most 20. Source: our own definition, docs/model.md.
 */
export function riskScore(input: RiskScoreInput): {
  riskScore: number;
  label: RiskLabel;
  factors: RiskFactors;
} {
  const factors = riskFactors(input);
  const base = (Object.keys(WEIGHTS) as (keyof RiskFactors)[]).reduce(
    (sum, name) => sum + WEIGHTS[name] * factors[name],
    0,
  );
  let score = clamp(Math.max(base, 100 * Math.sqrt(input.liquidationProbability30d)));
  if (input.healthFactor === null) score = Math.min(base, MAX_WITHOUT_DEBT);
  else if (input.healthFactor < 1) score = 100;
  return { riskScore: score, label: riskLabel(score), factors };
}
