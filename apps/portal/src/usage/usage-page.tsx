import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Schema, recentUsageQuery, usageQuery } from '../api/client';
import { FALLBACK_MS } from '../api/live';
import { formatCount, formatDay } from '../design/format';
import { Bars } from '../design/bars';
import { Card, PageHeader } from '../design/layout';
import { Empty, ErrorNotice, Loading } from '../design/notice';
import { Time } from '../design/values';
import { KeysUsage, Minutes } from './recent-usage';
import { UsageToday } from './usage-today';

export function UsagePage(): ReactNode {
  const usage = useQuery({ ...usageQuery, refetchInterval: FALLBACK_MS });
  return (
    <>
      <PageHeader title="Usage">
        Admitted requests of the last 30 UTC days, with keys and from pages of the portal.
      </PageHeader>
      {usage.isPending && (
        <Card>
          <Loading rows={5} />
        </Card>
      )}
      {usage.isError && <ErrorNotice error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data && <Report report={usage.data} />}
    </>
  );
}

function Report({ report }: { report: Schema<'UsageReport'> }): ReactNode {
  const recent = useQuery({ ...recentUsageQuery, refetchInterval: FALLBACK_MS });
  return (
    <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_340px] xl:items-start">
      <div className="flex min-w-0 flex-col gap-6">
        <Card
          title="Requests per day"
          aside={<span className="text-sm text-soft">{formatCount(report.calls)} in 30 days</span>}
        >
          <Days days={report.days} />
        </Card>
        {recent.isError && <ErrorNotice error={recent.error} onRetry={() => void recent.refetch()} />}
        {recent.isPending && (
          <Card title="Requests per minute">
            <Loading rows={4} />
          </Card>
        )}
        {recent.data && <Minutes recent={recent.data} limit={report.quota.requestsPerMinute} />}
        {(recent.isPending || recent.data) && (
          <Card title="By key">
            {recent.data ? <KeysUsage recent={recent.data} /> : <Loading rows={2} />}
          </Card>
        )}
        <Card title="By endpoint">
          {report.endpoints.length === 0 ? (
            <Empty title="No requests in the last 30 days." />
          ) : (
            <Endpoints report={report} />
          )}
        </Card>
      </div>
      <div className="flex flex-col gap-3">
        <Card title="Today">
          <UsageToday report={report} />
        </Card>
        <p className="px-1 text-sm text-soft">
          Counted <Time at={report.timestamp} />. Requests of the last five seconds may be missing.
        </p>
      </div>
    </div>
  );
}

function Days({ days }: { days: Schema<'UsageReport'>['days'] }): ReactNode {
  const ordered = [...days].reverse();
  const [first = '', last = ''] = [ordered[0]?.date, ordered.at(-1)?.date];
  return (
    <Bars
      bars={ordered.map(({ date, calls }) => ({ label: formatDay(date), value: calls }))}
      label={`Requests per day from ${first} to ${last}.`}
      from={formatDay(first)}
      to={`today, ${formatDay(last)}`}
    />
  );
}

function Endpoints({ report }: { report: Schema<'UsageReport'> }): ReactNode {
  return (
    <table className="w-full text-left">
      <thead className="text-xs text-soft">
        <tr className="border-b border-line">
          <th scope="col" className="px-5 py-2 font-medium">
            Endpoint
          </th>
          <th scope="col" className="px-5 py-2 text-right font-medium">
            Requests
          </th>
          <th scope="col" className="px-5 py-2 text-right font-medium">
            Share
          </th>
        </tr>
      </thead>
      <tbody>
        {report.endpoints.map(({ endpoint, calls }) => (
          <tr key={endpoint} className="border-b border-line last:border-0">
            <td className="px-5 py-2.5 font-mono text-sm break-all">{endpoint}</td>
            <td className="px-5 py-2.5 text-right">{formatCount(calls)}</td>
            <td className="px-5 py-2.5 text-right text-soft">
              {((calls / report.calls) * 100).toFixed(1)} %
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
