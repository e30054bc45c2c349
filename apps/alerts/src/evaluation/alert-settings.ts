import { type AlertPreferences, DEFAULT_ALERT_PREFERENCES } from '@plimsoll/contracts';
import type { PositionState } from './position-state';

/** What accounts set for their alerts; an account that is not here has the defaults. */
export type PreferencesByAccount = ReadonlyMap<string, AlertPreferences>;

export function preferencesOf(all: PreferencesByAccount, accountId: string): AlertPreferences {
  return all.get(accountId) ?? DEFAULT_ALERT_PREFERENCES;
}

/** Whether a position is too small for alerts of the account. What has no value in USD is never taken to be small. */
export function isDust(
  { collateralUsd, debtUsd, isUsdKnown }: Pick<PositionState, 'collateralUsd' | 'debtUsd' | 'isUsdKnown'>,
  { minUsd }: Pick<AlertPreferences, 'minUsd'>,
): boolean {
  return isUsdKnown && collateralUsd < minUsd && debtUsd < minUsd;
}
