import type { ReactNode } from 'react';
import type { Schema } from '../api/client';
import { formatCount } from '../design/format';

/** Requests of this UTC day against the quota, by endpoint. */
export function UsageToday({ report }: { report: Schema<'UsageReport'> }): ReactNode {
  const [today] = report.days;
  const { requestsPerDay, requestsPerMinute } = report.quota;
  const calls = today?.calls ?? 0;
  return (
    <div className="flex flex-col gap-4 p-5">
      <p className="flex items-baseline gap-2">
        <span className="text-2xl font-semibold">{formatCount(calls)}</span>
        <span className="text-soft">
          {requestsPerDay === null ? 'no daily limit' : `of ${formatCount(requestsPerDay)}`}
        </span>
      </p>
      {requestsPerDay !== null && <Meter value={calls} of={requestsPerDay} label="Requests of today" />}
      {today && today.endpoints.length > 0 ? (
        <ul className="flex flex-col gap-1.5">
          {today.endpoints.slice(0, 5).map(({ endpoint, calls: count }) => (
            <li key={endpoint} className="flex justify-between gap-4 text-sm">
              <code className="min-w-0 font-mono text-xs leading-5 break-words">{endpoint}</code>
              <span>{formatCount(count)}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-sm text-soft">No requests since 00:00 UTC.</p>
      )}
      <p className="border-t border-line pt-3 text-sm text-soft">
        {formatCount(requestsPerMinute)} requests per minute over all keys.
      </p>
    </div>
  );
}

/** A part of a whole as a bar. */
function Meter({ value, of, label }: { value: number; of: number; label: string }): ReactNode {
  return (
    <svg
      role="img"
      aria-label={`${label}: ${formatCount(value)} of ${formatCount(of)}`}
      viewBox="0 0 100 2"
      preserveAspectRatio="none"
      className="h-1.5 w-full rounded-full"
    >
      <rect width="100" height="2" className="fill-line" />
      <rect width={(Math.min(value, of) / of) * 100} height="2" className="fill-accent" />
    </svg>
  );
}
