import { BAND_EDGES_PERCENT, BAND_PROBABILITIES, type Band, bandOfFigures, bandRank } from './bands';

/** The figure that decides a level. */
export const RISK_LEVEL_BASES = ['health_factor', 'probability_7d', 'no_debt'] as const;
export type RiskLevelBasis = (typeof RISK_LEVEL_BASES)[number];

/** The level of a figure, its basis, and the sentence that explains it. */
export interface RiskLevelFields {
  riskLevel: Band;
  riskLevelBasis: RiskLevelBasis;
  riskLevelReason: string;
}

type HealthFactorLevel = (typeof BAND_EDGES_PERCENT)[number]['band'];
type ProbabilityLevel = (typeof BAND_PROBABILITIES)[number]['band'];

/**
 * The table behind every level. A health factor below the number of a level has that level or a worse one.
 * The same is true for a probability of at least the number of a level.
 */
export const RISK_THRESHOLDS = {
  healthFactor: Object.fromEntries(BAND_EDGES_PERCENT.map(({ band, edge }) => [band, edge / 100])) as Record<
    HealthFactorLevel,
    number
  >,
  probability7d: Object.fromEntries(BAND_PROBABILITIES.map(({ band, from }) => [band, from])) as Record<
    ProbabilityLevel,
    number
  >,
};

/**
 * Returns level, basis and reason of a position's figures. Every response uses this function.
 * @param healthFactor a number or the exact wad; null without debt
 * @param probability7d probability of liquidation within 7 days for a correlated position; null when the
 * health factor decides
 */
export function riskLevelOf(
  healthFactor: number | bigint | null,
  probability7d: number | null,
): RiskLevelFields {
  const riskLevel = bandOfFigures(healthFactor, probability7d);
  if (healthFactor === null) return { riskLevel, riskLevelBasis: 'no_debt', riskLevelReason: 'No debt.' };
  if (probability7d === null || riskLevel === 'liquidatable') {
    return {
      riskLevel,
      riskLevelBasis: 'health_factor',
      riskLevelReason: `Health factor ${shownFactor(healthFactor)} is ${healthFactorRange(riskLevel)}.`,
    };
  }
  return {
    riskLevel,
    riskLevelBasis: 'probability_7d',
    riskLevelReason: `Collateral and debt move together: the probability of liquidation within 7 days is ${shownProbability(probability7d)}, ${probabilityRange(riskLevel)}.`,
  };
}

/** Returns the probability that decides the level, or null when the health factor decides. */
export function decidingProbability(
  healthFactor: number | bigint | null,
  probability7d: number | null,
): number | null {
  return riskLevelOf(healthFactor, probability7d).riskLevelBasis === 'probability_7d' ? probability7d : null;
}

/** The fields of an event that decide its level. */
interface StatedDanger {
  level?: Band | undefined;
  band: Band;
  healthFactorRaw: string | null;
  probability7d?: number | null | undefined;
}

/**
 * Returns the level of an event's figures. Events of earlier releases have no level, so their band replaces
 * it. The exception is a health factor near 1, where hysteresis can keep a band that the figures have left.
 */
export function levelOfEvent({ level, band, healthFactorRaw }: StatedDanger): Band {
  if (level !== undefined) return level;
  if (healthFactorRaw === null) return 'none';
  if (isLiquidatable(healthFactorRaw)) return 'liquidatable';
  return band === 'liquidatable' ? 'critical' : band;
}

/** Returns level, basis and reason of an event's figures. */
export function riskLevelOfEvent(event: StatedDanger): RiskLevelFields {
  const { level, probability7d = null, healthFactorRaw } = event;
  const healthFactor = healthFactorRaw === null ? null : BigInt(healthFactorRaw);
  if (level !== undefined) return riskLevelOf(healthFactor, probability7d);
  const riskLevel = levelOfEvent(event);
  const byHealthFactor = riskLevelOf(healthFactor, null);
  if (byHealthFactor.riskLevel === riskLevel) return byHealthFactor;
  return {
    riskLevel,
    // Hysteresis only makes a band worse than its health factor. A milder band therefore comes from a
    // probability.
    riskLevelBasis:
      bandRank(riskLevel) < bandRank(byHealthFactor.riskLevel) ? 'probability_7d' : 'health_factor',
    riskLevelReason: 'The event of an earlier release states this level without its reason.',
  };
}

/** Returns whether an exact health factor (wad; null without debt) allows a liquidation. */
export function isLiquidatable(healthFactorRaw: string | null): boolean {
  return healthFactorRaw !== null && BigInt(healthFactorRaw) < WAD;
}

const WAD = 10n ** 18n;
/** Decimal places of a health factor in a sentence. */
const DIGITS = 4;
const FEWEST_DIGITS = 2;

function healthFactorRange(level: Band): string {
  const at = BAND_EDGES_PERCENT.findIndex(({ band }) => band === level);
  const edge = (index: number): string => (BAND_EDGES_PERCENT[index]!.edge / 100).toFixed(2);
  if (at === 0) return `below ${edge(0)}`;
  if (at < 0) return `${edge(BAND_EDGES_PERCENT.length - 1)} or more`;
  return `between ${edge(at - 1)} and ${edge(at)}`;
}

function probabilityRange(level: Band): string {
  const at = BAND_PROBABILITIES.findIndex(({ band }) => band === level);
  const edge = (index: number): string => `${BAND_PROBABILITIES[index]!.from * 100} %`;
  if (at === 0) return `${edge(0)} or more`;
  if (at < 0) return `below ${edge(BAND_PROBABILITIES.length - 1)}`;
  return `between ${edge(at)} and ${edge(at - 1)}`;
}

/** Truncated, not rounded: 1.24999 must not read as 1.25, because it is below that threshold. */
function shownFactor(healthFactor: number | bigint): string {
  const [whole, fraction = ''] = decimalOf(healthFactor).split('.');
  return `${whole}.${fraction.slice(0, DIGITS).replace(/0+$/, '').padEnd(FEWEST_DIGITS, '0')}`;
}

function decimalOf(healthFactor: number | bigint): string {
  if (typeof healthFactor === 'bigint')
    return `${healthFactor / WAD}.${(healthFactor % WAD).toString().padStart(18, '0')}`;
  // A very small or very large double would print with an exponent.
  if (healthFactor < 1e-6) return '0';
  return healthFactor < 1e15 ? String(healthFactor) : String(BigInt(Math.floor(healthFactor)));
}

function shownProbability(probability: number): string {
  const perMille = Math.floor(probability * 1_000);
  return perMille === 0 && probability > 0 ? 'less than 0.1 %' : `${(perMille / 10).toFixed(1)} %`;
}

/** USD. A position is dust while its supplied value and its debt are both below this value. */
export const DUST_USD = 10;

/** @returns false when a value is null, because a position without a price is not dust */
export function isDust(suppliedUsd: number | null, debtUsd: number | null): boolean {
  return suppliedUsd !== null && debtUsd !== null && suppliedUsd < DUST_USD && debtUsd < DUST_USD;
}

/**
 * Dangers of a position other than its health factor:
 * - soft_liquidation: part of its collateral is already sold
 * - redemption: it is among the first that can be redeemed against
 * - recovery_mode: the system's threshold is raised for all positions
 * - shutdown: its branch or market is being closed
 */
export const POSITION_FLAGS = ['soft_liquidation', 'redemption', 'recovery_mode', 'shutdown'] as const;
export type PositionFlagName = (typeof POSITION_FLAGS)[number];
