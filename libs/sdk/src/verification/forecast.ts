import type { ForecastReceipt } from '@plimsoll/receipts';
import { Difference } from './steps';

const DAY_MS = 86_400_000;
const ONE = 10n ** 18n;
const PLACES = 4;

/**
 * Compares the times of forecasts: each was signed after it was made and before its end.
 * @throws Difference
 */
export function checkForecasts({ content, signature: { signedAt } }: ForecastReceipt): void {
  const { madeAt, forecasts } = content;
  if (forecasts.length === 0) throw new Difference('probability_invalid', 'no forecast');
  for (const { horizonDays, expiresAt, probability } of forecasts) {
    const days = `${horizonDays} day${horizonDays === 1 ? '' : 's'}`;
    if (expiresAt !== madeAt + horizonDays * DAY_MS)
      throw new Difference('forecast_time_differs', `${days}: the end is ${expiresAt}, made at ${madeAt}`);
    if (signedAt < madeAt || signedAt >= expiresAt)
      throw new Difference('forecast_time_differs', `${days}: signed at ${signedAt}, made at ${madeAt}`);
    if (BigInt(probability) > ONE) throw new Difference('probability_invalid', `${days}: ${probability}`);
  }
}

/** The forecasts as text. */
export function forecastText({ model, madeAt, forecasts }: ForecastReceipt['content']): string {
  const each = forecasts.map(
    ({ horizonDays, probability }) => `${(Number(probability) / 1e18).toFixed(PLACES)} in ${horizonDays} d`,
  );
  return `${each.join(', ')} by ${model.name} version ${model.version}, made at ${new Date(madeAt).toISOString()}`;
}

/** @throws Difference for a root of the log that was signed after the end of a forecast */
export function checkLogged({ forecasts }: ForecastReceipt['content'], rootSignedAt: number): void {
  const late = forecasts.find(({ expiresAt }) => rootSignedAt >= expiresAt);
  if (late)
    throw new Difference(
      'logged_late',
      `the forecast over ${late.horizonDays} d ended at ${late.expiresAt}, and the root was signed at ${rootSignedAt}`,
    );
}
