import type { SuggestionSeverity } from '@plimsoll/contracts';
import type { Plan } from './plan';
import { CRITICAL, SAFE } from './plans-for';

const RANK: Record<SuggestionSeverity, number> = { critical: 0, warning: 1, info: 2 };

/** The severity by the health factor alone: a suggestion is as urgent as the problem that it solves. */
export function severityOf(health: number, { type }: Pick<Plan, 'type'>): SuggestionSeverity {
  if (type === 'set_alert' || health >= SAFE) return 'info';
  return health < CRITICAL ? 'critical' : 'warning';
}

/** The most severe first. A stable sort keeps the order of those found earlier. */
export function bySeverity(a: SuggestionSeverity, b: SuggestionSeverity): number {
  return RANK[a] - RANK[b];
}

/**
 * True when no remaining candidate can be among the `maxCount` most severe suggestions, because as many of
 * the `found` ones are at least as severe as the most severe that it can add.
 */
export function isSettled(
  found: readonly SuggestionSeverity[],
  left: readonly { health: number; plans: readonly Pick<Plan, 'type'>[] }[],
  maxCount: number,
): boolean {
  const severities = left.flatMap(({ health, plans }) => plans.map((plan) => severityOf(health, plan)));
  const most = Math.min(...severities.map((severity) => RANK[severity]));
  return found.filter((severity) => RANK[severity] <= most).length >= maxCount;
}
