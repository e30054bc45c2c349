import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount, shortened } from '../design/format';
import { LINK } from '../design/link';
import { ErrorNotice, Loading } from '../design/notice';
import { Status, Time } from '../design/values';
import type { Tier } from '../positions/plan-needed';
import { changedAt } from './alert-list';
import type { Alert } from './alert';

const MOST = 6;
const TONES = { info: 'off', low: 'off', medium: 'warn', high: 'bad', critical: 'bad' } as const;

/** Active alerts, the last change first. */
export function AlertRail({
  alerts: { data, isPending, isError, error, refetch },
  tier,
}: {
  alerts: UseQueryResult<readonly Alert[]>;
  tier: Tier;
}): ReactNode {
  return (
    <section aria-label="Alerts" className="min-w-0 bg-canvas">
      <h2 className="flex flex-wrap items-baseline gap-x-3 px-4 pt-5 pb-2 text-lg text-soft sm:px-6 lg:text-xl">
        Alerts
        {data && (
          <span role="status" className="text-xl font-semibold text-text lg:text-2xl">
            {formatCount(data.length)} active
          </span>
        )}
      </h2>
      {tier === 'open' && (
        <p className="px-4 py-2 text-lg sm:px-6">
          Alerts begin with the pro plan.{' '}
          <Link to="/account" search={{ dialog: 'plan' }} className={LINK}>
            Change plan
          </Link>
        </p>
      )}
      {isError && (
        <div className="px-4 py-2 sm:px-6">
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {isPending && tier !== 'open' && <Loading rows={3} />}
      {data?.length === 0 && <p className="px-4 py-2 text-lg sm:px-6">No alert is active.</p>}
      {data && data.length > 0 && (
        <ol aria-label="Active alerts">
          {data.slice(0, MOST).map((alert) => (
            <li
              key={alert.id}
              className="flex animate-[appear_160ms_ease-out] flex-col gap-1 border-t border-line px-4 py-3 sm:px-6"
            >
              <span className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
                <Status tone={TONES[alert.severity]}>{alert.severity}</Status>
                <Time at={changedAt(alert)} />
                {alert.wallet && (
                  <span className="text-lg font-medium text-text">
                    {alert.walletLabel ?? shortened(alert.wallet)}
                  </span>
                )}
              </span>
              <span className="text-lg [overflow-wrap:anywhere] xl:text-xl">{alert.title}</span>
            </li>
          ))}
        </ol>
      )}
      {data && data.length > MOST && (
        <p className="border-t border-line px-4 py-3 text-lg text-soft sm:px-6">
          {formatCount(data.length - MOST)} earlier ones
        </p>
      )}
    </section>
  );
}
