import { SEVERITIES, type Severity } from '@plimsoll/contracts';
import { COOLDOWN_MS } from '../../lifecycle/alert';
import type { AssetMove } from './affected-positions';

/**
 * Alerts of every account on the assets of its positions, without a rule
 * (docs/decisions/0012-prices-and-assets.md, docs/decisions/0063-depeg-alerts.md). oracle_deviation is about the price
 * of one oracle (docs/decisions/0066-oracle-deviations.md).
 */
export type AssetAlertType = 'price_move' | 'oracle_stale' | 'depeg' | 'oracle_deviation';

/**
 * A move ends below this share of the threshold, so that a price at the threshold does not open and resolve
 * alerts repeatedly.
 */
const MOVE_ENDS_BELOW = 0.75;
/** Multiple of the threshold from which a move has severity high. */
const HIGH_FROM = 2;

/**
 * Percent from the target price, or from the price of an oracle, from which a deviation opens an alert, from which it
 * is high, and below which it ends.
 */
const DEVIATION_OPENS_AT = 2;
const DEVIATION_HIGH_FROM = 5;
const DEVIATION_ENDS_BELOW = 1;
/** Milliseconds for which every price must deviate before an alert opens, so that one wrong trade opens none. */
export const DEVIATION_LASTS_MS = 300_000;

/** State of a condition on an asset. */
export interface AssetCondition {
  asset: string;
  type: AssetAlertType;
  /**
   * Null while the condition is not met. Otherwise every holder of the asset has an alert of this severity.
   */
  severity: Severity | null;
  title: string;
  message: string;
  /** The worst severity since the condition last ended. */
  lastSeverity: Severity;
  /** When the condition last ended, milliseconds since 1970. Null when it never did. */
  clearedAtMs: number | null;
  /** Prices before and after the move. Null for another condition, or one that an earlier release stored. */
  move: AssetMove | null;
  /**
   * Time of the first of the prices without a break that meet a condition which has not lasted long enough to open,
   * milliseconds since 1970. Null otherwise.
   */
  beganAtMs: number | null;
}

/** Title and message of a condition. */
export type ConditionText = Pick<AssetCondition, 'title' | 'message'>;

/**
 * Returns the severity of a move. `held` means too small to open an alert and too large to end one.
 * @param move share, negative for a fall
 * @param threshold share from which a move opens an alert
 */
export function moveSeverity(move: number, threshold: number): Severity | 'held' | null {
  // Rounding removes the error of a double: 2,000 to 1,600 is a move of exactly 20 %.
  const size = Number((Math.abs(move) / threshold).toFixed(9));
  if (size >= HIGH_FROM) return 'high';
  if (size >= 1) return 'medium';
  return size >= MOVE_ENDS_BELOW ? 'held' : null;
}

/**
 * Returns the condition after a new price, or null when it does not change. It worsens immediately and
 * improves only by ending. After that it is met again when the cooldown is over, or when it is worse than
 * before.
 * @param nowMs milliseconds since 1970
 */
export function nextCondition(
  of: Pick<AssetCondition, 'asset' | 'type'>,
  known: AssetCondition | null,
  seen: Severity | 'held' | null,
  texts: { met: ConditionText; over: ConditionText },
  nowMs: number,
  move: AssetMove | null = null,
): AssetCondition | null {
  const severity = known?.severity ?? null;
  if (known !== null && severity !== null && seen === null)
    return { ...known, ...texts.over, severity: null, lastSeverity: severity, clearedAtMs: nowMs };
  if (seen === null || seen === 'held') return null;
  if (severity !== null && !isWorse(seen, severity)) return null;
  if (severity === null && known !== null && isCooling(known, nowMs) && !isWorse(seen, known.lastSeverity))
    return null;
  const { asset, type } = of;
  const clearedAtMs = known?.clearedAtMs ?? null;
  return {
    asset,
    type,
    severity: seen,
    ...texts.met,
    lastSeverity: seen,
    clearedAtMs,
    move,
    beganAtMs: null,
  };
}

/**
 * Returns the severity of a distance from the target price, or from the price of an oracle. `held` means too small to open an alert and too large
 * to end one.
 * @param percent negative below it
 */
export function deviationSeverity(percent: number): Severity | 'held' | null {
  // Rounding removes the error of a double: 0.98 is exactly 2 % below 1.
  const distance = Number(Math.abs(percent).toFixed(9));
  if (distance >= DEVIATION_HIGH_FROM) return 'high';
  if (distance >= DEVIATION_OPENS_AT) return 'medium';
  return distance >= DEVIATION_ENDS_BELOW ? 'held' : null;
}

/**
 * Like nextCondition, for a condition that opens only after every price of some time met it. A price that does not
 * meet it starts the time again.
 * @param atMs when the price was published
 * @param lastsMs how long the prices must meet it
 */
export function nextLastingCondition(
  of: Pick<AssetCondition, 'asset' | 'type'>,
  known: AssetCondition | null,
  seen: Severity | 'held' | null,
  texts: { met: ConditionText; over: ConditionText },
  { nowMs, atMs, lastsMs }: { nowMs: number; atMs: number; lastsMs: number },
  move: AssetMove | null = null,
): AssetCondition | null {
  if (known !== null && known.severity !== null) return nextCondition(of, known, seen, texts, nowMs, move);
  const beganAtMs = known?.beganAtMs ?? null;
  if (seen === null || seen === 'held')
    return known !== null && beganAtMs !== null ? { ...known, beganAtMs: null } : null;
  if (beganAtMs !== null)
    return atMs - beganAtMs < lastsMs ? null : nextCondition(of, known, seen, texts, nowMs, move);
  const first = { ...of, ...texts.met, severity: null, lastSeverity: seen, clearedAtMs: null, move: null };
  return { ...(known ?? first), beganAtMs: atMs };
}

const isCooling = ({ clearedAtMs }: AssetCondition, nowMs: number): boolean =>
  clearedAtMs !== null && nowMs < clearedAtMs + COOLDOWN_MS;

const isWorse = (one: Severity, other: Severity): boolean =>
  SEVERITIES.indexOf(one) > SEVERITIES.indexOf(other);
