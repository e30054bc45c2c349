import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Schema, usageQuery } from '../api/client';
import { formatCount, formatDay } from '../design/format';
import { Card, PageHeader } from '../design/layout';
import { Empty, ErrorNotice, Loading } from '../design/notice';
import { Time } from '../design/values';
import { UsageToday } from './usage-today';

export function UsagePage(): ReactNode {
  const usage = useQuery({ ...usageQuery, refetchInterval: 15_000 });
  return (
    <>
      <PageHeader title="Usage">
        Admitted requests of the last 30 UTC days, with keys and from pages of this origin.
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
  return (
    <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_340px] xl:items-start">
      <div className="flex min-w-0 flex-col gap-6">
        <Card
          title="Requests per day"
          aside={<span className="text-sm text-soft">{formatCount(report.calls)} in 30 days</span>}
        >
          <Days days={report.days} />
        </Card>
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

const [WIDTH, HEIGHT, GAP] = [600, 140, 4];

/** Bars, the oldest day first. The table beside it has the same numbers for readers of a screen. */
function Days({ days }: { days: Schema<'UsageReport'>['days'] }): ReactNode {
  const ordered = [...days].reverse();
  const most = Math.max(1, ...ordered.map(({ calls }) => calls));
  const step = WIDTH / ordered.length;
  return (
    <figure className="px-5 pt-5 pb-4">
      <div className="flex gap-3">
        <div className="flex w-10 shrink-0 flex-col justify-between text-right text-xs text-faint">
          <span>{formatCount(most)}</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Requests per day from ${ordered[0]?.date} to ${ordered.at(-1)?.date}. The most were ${formatCount(most)}.`}
          className="h-36 min-w-0 grow border-b border-line"
        >
          {ordered.map(({ date, calls }, index) => {
            const height = calls === 0 ? 0 : Math.max(2, (calls / most) * HEIGHT);
            return (
              <rect
                key={date}
                x={index * step + GAP / 2}
                y={HEIGHT - height}
                width={step - GAP}
                height={height}
                className="fill-accent"
              >
                <title>{`${formatDay(date)}: ${formatCount(calls)}`}</title>
              </rect>
            );
          })}
        </svg>
      </div>
      <figcaption className="mt-1.5 flex justify-between pl-13 text-xs text-faint">
        <span>{formatDay(ordered[0]?.date ?? '')}</span>
        <span>today, {formatDay(ordered.at(-1)?.date ?? '')}</span>
      </figcaption>
    </figure>
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
