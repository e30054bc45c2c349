import { type AlertPreferences, DEFAULT_ALERT_PREFERENCES } from '@plimsoll/contracts';
import type { PositionState } from '../positions/position-state';

/** Settings of accounts for their alerts. An account that is absent has the defaults. */
export type PreferencesByAccount = ReadonlyMap<string, AlertPreferences>;

export function preferencesOf(all: PreferencesByAccount, accountId: string): AlertPreferences {
  return all.get(accountId) ?? DEFAULT_ALERT_PREFERENCES;
}

/**
 * Returns whether a position is too small for alerts of the account. A position without a value in USD never
 * is.
 */
export function isDust(
  { collateralUsd, debtUsd, isUsdKnown }: Pick<PositionState, 'collateralUsd' | 'debtUsd' | 'isUsdKnown'>,
  { minUsd }: Pick<AlertPreferences, 'minUsd'>,
): boolean {
  return isUsdKnown && collateralUsd < minUsd && debtUsd < minUsd;
}
