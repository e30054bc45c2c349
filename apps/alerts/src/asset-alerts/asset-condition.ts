import { SEVERITIES, type Severity } from '@plimsoll/contracts';
import type { AssetMove } from './affected-positions';
import { COOLDOWN_MS } from '../evaluation/cooldown';

/** Alerts of every account on the assets of its positions, without a rule (docs/decisions/0012-prices-and-assets.md). */
export const ASSET_ALERT_TYPES = ['price_move', 'oracle_stale'] as const;
export type AssetAlertType = (typeof ASSET_ALERT_TYPES)[number];

/** Share of the threshold below which a move is over, so that a price at the edge makes no stream of alerts. */
const MOVE_HOLDS_FROM = 0.75;
/** In thresholds too. */
const HIGH_FROM = 2;

/** How a condition on an asset stands. */
export interface AssetCondition {
  asset: string;
  type: AssetAlertType;
  /** Null: not met. While it is there, everyone who holds the asset has the alert. */
  severity: Severity | null;
  title: string;
  message: string;
  /** The worst since it was last not met. */
  lastSeverity: Severity;
  /** When it was last over, milliseconds since 1970; null: it never was. */
  clearedAtMs: number | null;
  /** From which price to which the asset moved; null: another condition, or one that an earlier release stored. */
  move: AssetMove | null;
}

/** What is told of a condition. */
export type ConditionText = Pick<AssetCondition, 'title' | 'message'>;

/**
 * How bad a move is by itself; `held`: not bad enough to be told, too much to be over.
 * @param move share, negative for a fall
 * @param threshold share from which a move is told
 */
export function moveSeverity(move: number, threshold: number): Severity | 'held' | null {
  // 2,000 to 1,600 is a move of 20 %, whatever doubles make of it.
  const size = Number((Math.abs(move) / threshold).toFixed(9));
  if (size >= HIGH_FROM) return 'high';
  if (size >= 1) return 'medium';
  return size >= MOVE_HOLDS_FROM ? 'held' : null;
}

/**
 * The condition after a look at its asset; null: it stays as it is. It gets worse at once and better only by being
 * over; then it is met again after the cooldown, or when it is worse than it was.
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
  return { asset, type, severity: seen, ...texts.met, lastSeverity: seen, clearedAtMs, move };
}

const isCooling = ({ clearedAtMs }: AssetCondition, nowMs: number): boolean =>
  clearedAtMs !== null && nowMs < clearedAtMs + COOLDOWN_MS;

const isWorse = (one: Severity, other: Severity): boolean =>
  SEVERITIES.indexOf(one) > SEVERITIES.indexOf(other);
