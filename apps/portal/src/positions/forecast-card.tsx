import type { ReactNode } from 'react';
import { formatCount, formatProbability } from '../design/format';
import { Facts } from '../design/layout';
import { Basis } from './basis';
import { type Forecast, forecastQuery } from './outlook';
import { PlanCard } from './plan-needed';
import type { Detailed } from './requests';
import { RunCard } from './run-card';

const NO_CARRY: Record<NonNullable<Forecast['carryDaysReason']>, string> = {
  no_debt: 'no debt',
  liquidatable: 'it can be liquidated now',
  carry_not_negative: 'never: the supply earns at least what the debt costs',
  rate_unknown: 'unknown, because a rate cannot be read',
};
const SHARES = [
  ['p5', '5 %'],
  ['p25', '25 %'],
  ['p50', 'half'],
  ['p75', '75 %'],
] as const;

/** The time until a liquidation when nothing is done. */
export function ForecastCard({ position: { id, totalDebtUsd } }: { position: Detailed }): ReactNode {
  return (
    <PlanCard
      title="Forecast"
      plan="business"
      needed="Forecasts begin with the business plan."
      purpose="They state the time until a liquidation when nothing is done."
    >
      {() => (
        <RunCard
          title="Forecast"
          about="The time until a liquidation when nothing is done, by prices and by interest alone."
          action="Forecast"
          hasDebt={totalDebtUsd > 0}
          query={forecastQuery(id)}
        >
          {(forecast) => <Figures forecast={forecast} />}
        </RunCard>
      )}
    </PlanCard>
  );
}

function Figures({ forecast }: { forecast: Forecast }): ReactNode {
  const {
    distancePercent,
    volatileDistancePercent,
    liquidationProbability30d,
    standardError,
    upperBound95,
    firstPassageDays,
    notWithinDays,
    carryDays,
    carryDaysReason,
  } = forecast;
  const days = (count: number | null): string =>
    count === null ? `not within ${notWithinDays ?? 365} days` : `by day ${formatCount(count)}`;
  return (
    <>
      <Facts
        facts={[
          [
            'Liquidation within 30 days',
            <strong>{formatProbability(liquidationProbability30d, standardError, upperBound95)}</strong>,
          ],
          ['Fall of all collateral to it', fall(distancePercent)],
          ['The same while stable coins hold', fall(volatileDistancePercent)],
          ...SHARES.map(
            ([quantile, share]) =>
              [`Below 1 in ${share} of the paths`, days(firstPassageDays[quantile])] as const,
          ),
          [
            'By interest alone',
            carryDays === null
              ? NO_CARRY[carryDaysReason ?? 'rate_unknown']
              : `in ${formatCount(carryDays)} days`,
          ],
        ]}
      />
      <Basis answer={forecast} paths={forecast.iterations} />
    </>
  );
}

/** A fall in percent. Over 100: the other collateral covers the debt. */
function fall(percent: number | null): string {
  if (percent === null) return 'none';
  if (percent < 0) return 'reached';
  return percent > 100 ? 'no fall reaches it' : `${percent.toFixed(1)} %`;
}
