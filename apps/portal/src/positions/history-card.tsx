import { ApiError } from '@plimsoll/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { FALLBACK_MS } from '../api/live';
import { Disclosure } from '../design/disclosure';
import { formatHealthFactor, formatLocal } from '../design/format';
import { Card } from '../design/layout';
import { LineChart } from '../design/line-chart';
import { LINK } from '../design/link';
import { Empty, ErrorNotice, Loading } from '../design/notice';
import { Select } from '../design/select';
import { Status, Time } from '../design/values';
import { PlanNeeded } from './plan-needed';
import {
  type Alert,
  type Detailed,
  type HistoryBucket,
  type NetWorthHistory,
  HISTORY_BUCKETS,
  historyQuery,
  positionAlertsQuery,
} from './requests';

const PERIODS: Record<HistoryBucket, string> = { hour: 'by hour', day: 'by day' };
/** Alerts that are numbered on the axis and listed. */
const MOST_ALERTS = 12;

/** The health factor over time, with the alerts about the position on the same axis. */
export function HistoryCard({ position: { id } }: { position: Detailed }): ReactNode {
  const [bucket, setBucket] = useState<HistoryBucket>('hour');
  const history = useQuery({ ...historyQuery(id, bucket), refetchInterval: FALLBACK_MS });
  const alerts = useQuery({ ...positionAlertsQuery(id), refetchInterval: FALLBACK_MS });
  const code = history.error instanceof ApiError ? history.error.code : undefined;
  return (
    <Card
      title="History"
      aside={
        history.data && (
          <Select
            label="Show"
            choices={HISTORY_BUCKETS.map((value) => ({ value, label: PERIODS[value] }))}
            value={bucket}
            onChange={(chosen) => setBucket(HISTORY_BUCKETS.find((each) => each === chosen) ?? 'hour')}
          />
        )
      }
    >
      {history.isPending && <Loading rows={4} />}
      {code === 'tier_required' && (
        <PlanNeeded title="The history of positions begins with the business plan.">
          It shows the lowest health factor of each hour and day.
        </PlanNeeded>
      )}
      {code === 'not_found' && (
        <Empty title="A history begins when the account watches the wallet.">
          <Link to="/positions" search={{ dialog: 'watch' }} className={LINK}>
            Watch a wallet
          </Link>
        </Empty>
      )}
      {history.isError && code !== 'tier_required' && code !== 'not_found' && (
        <div className="p-5">
          <ErrorNotice error={history.error} onRetry={() => void history.refetch()} />
        </div>
      )}
      {history.data && <Course history={history.data} alerts={alerts.data ?? []} />}
      {alerts.isError && !(alerts.error instanceof ApiError && alerts.error.code === 'tier_required') && (
        <div className="p-5">
          <ErrorNotice error={alerts.error} onRetry={() => void alerts.refetch()} />
        </div>
      )}
      {alerts.data && <AlertList alerts={alerts.data.slice(0, MOST_ALERTS)} />}
    </Card>
  );
}

function Course({ history, alerts }: { history: NetWorthHistory; alerts: readonly Alert[] }): ReactNode {
  const points = history.history
    .map(({ at, lowestHealthFactor }) => ({ at: Date.parse(at), value: lowestHealthFactor }))
    .reverse();
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || known.length === 0)
    return (
      <Empty title="Nothing was recorded yet.">
        <p className="text-soft">The first figure appears here within the hour.</p>
      </Empty>
    );
  const [low, high] = [Math.min(...known), Math.max(...known)].map(formatHealthFactor);
  // The last bucket has not ended.
  const end = Math.max(last.at, Date.now());
  const drawn = [...points, { at: end, value: last.value }];
  const day = (at: number): string => formatLocal(new Date(at));
  return (
    <>
      <LineChart
        points={drawn}
        marks={alerts
          .slice(0, MOST_ALERTS)
          .map(({ id, createdAt }, index) => ({ id, at: Date.parse(createdAt), number: index + 1 }))}
        line={{ value: 1, name: 'liquidation' }}
        label={`Lowest health factor of each ${history.bucket}, from ${day(first.at)} to now: at least ${low}, at most ${high}.`}
        format={formatHealthFactor}
        from={day(first.at)}
        to="now"
      />
      <div className="border-t border-line">
        <Disclosure title="Figures of the chart">
          <div
            className="max-h-64 overflow-y-auto px-5 pb-3 text-sm"
            tabIndex={0}
            role="region"
            aria-label="Figures of the chart"
          >
            <table className="w-full text-left">
              <thead className="text-xs text-soft">
                <tr>
                  <th scope="col" className="py-1 font-medium">
                    Begin
                  </th>
                  <th scope="col" className="py-1 text-right font-medium">
                    Lowest health factor
                  </th>
                </tr>
              </thead>
              <tbody>
                {history.history.map(({ at, lowestHealthFactor, gap }) => (
                  <tr key={at} className="border-t border-line">
                    <td className="py-1">{day(Date.parse(at))}</td>
                    <td className="py-1 text-right">
                      {lowestHealthFactor === null
                        ? gap === 'no_samples'
                          ? 'not recorded'
                          : 'none'
                        : formatHealthFactor(lowestHealthFactor)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Disclosure>
      </div>
    </>
  );
}

const TONES = { info: 'off', low: 'off', medium: 'warn', high: 'bad', critical: 'bad' } as const;

function AlertList({ alerts }: { alerts: readonly Alert[] }): ReactNode {
  if (alerts.length === 0)
    return <p className="border-t border-line px-5 py-3 text-sm text-soft">No alerts about this position.</p>;
  return (
    <ol aria-label="Alerts" className="border-t border-line">
      {alerts.map(({ id, severity, title, createdAt, status }, index) => (
        <li
          key={id}
          className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-5 py-2 last:border-0"
        >
          <span className="w-5 text-sm text-soft">{index + 1}</span>
          <Status tone={TONES[severity]}>{severity}</Status>
          <span className="min-w-0 grow">{title}</span>
          <span className="text-sm text-soft">
            {status}, <Time at={createdAt} />
          </span>
        </li>
      ))}
    </ol>
  );
}
