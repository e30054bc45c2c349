import { type AlertType, type Band, type PositionV1, type Severity, bandRank } from '@plimsoll/contracts';

/**
 * Alerts about a position's distance to liquidation. An account has at most one of them open for a position.
 */
export const DANGER_TYPES = ['health_factor_warning', 'liquidation_risk'] as const;
export type DangerType = (typeof DANGER_TYPES)[number];

const WAD = 10n ** 18n;

export function isDangerType(type: AlertType): type is DangerType {
  return (DANGER_TYPES as readonly AlertType[]).includes(type);
}

/** The largest double below 1. */
const BELOW_ONE = 1 - Number.EPSILON / 2;

/**
 * Returns a health factor as a double that is below 1 exactly when the wad is. The nearest double may be 1
 * itself.
 */
export function healthFactorOf({ healthFactor, healthFactorRaw }: PositionV1): number | null {
  if (healthFactor === null || healthFactorRaw === null || BigInt(healthFactorRaw) >= WAD)
    return healthFactor;
  return Math.min(healthFactor, BELOW_ONE);
}

/**
 * Returns the level for alerts: `liquidatable` exactly below a health factor of 1, otherwise the band. The
 * hysteresis of the band would hide a second fall below 1.
 */
export function levelOf({
  healthFactor,
  band,
  closed,
}: {
  healthFactor: number | null;
  band: Band;
  closed: boolean;
}): Band {
  if (closed || healthFactor === null) return 'none';
  if (healthFactor < 1) return 'liquidatable';
  return band === 'liquidatable' ? 'critical' : band;
}

export function isDanger(level: Band): boolean {
  return bandRank(level) >= bandRank('high');
}

/** @param level a danger level */
export function severityOf(level: Band): Severity {
  return bandRank(level) >= bandRank('critical') ? 'critical' : 'high';
}

/** Returns the type of an alert that opens at a danger level. */
export function dangerTypeOf(level: Band): DangerType {
  return level === 'high' ? 'health_factor_warning' : 'liquidation_risk';
}
