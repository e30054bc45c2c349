import { type ReactNode, useState } from 'react';
import type { Schema } from '../api/client';
import { Bars } from '../design/bars';
import { formatCount } from '../design/format';
import { Card } from '../design/layout';
import { Empty } from '../design/notice';
import { Select } from '../design/select';
import { useKeyNames } from '../keys/requests';

type Recent = Schema<'RecentUsage'>;

const MINUTE_MS = 60_000;
const PERIODS = [
  { value: 'hour', label: 'last hour', bars: 60, minutes: 1 },
  { value: 'day', label: 'last 24 hours', bars: 96, minutes: 15 },
] as const;

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Requests of the last hour by minute, or of the last day by quarter of an hour, in the time zone of the user. */
export function Minutes({ recent, limit }: { recent: Recent; limit: number }): ReactNode {
  const [chosen, setChosen] = useState('hour');
  const period = PERIODS.find(({ value }) => value === chosen) ?? PERIODS[0];
  const stepMs = period.minutes * MINUTE_MS;
  const endMs = Math.floor(Date.parse(recent.timestamp) / stepMs) * stepMs;
  const sums = new Map<number, number>();
  for (const { minute, calls } of recent.minutes) {
    const beginMs = Math.floor(Date.parse(minute) / stepMs) * stepMs;
    sums.set(beginMs, (sums.get(beginMs) ?? 0) + calls);
  }
  const bars = Array.from({ length: period.bars }, (_, index) => {
    const beginMs = endMs - (period.bars - 1 - index) * stepMs;
    return { label: CLOCK.format(beginMs), value: sums.get(beginMs) ?? 0 };
  });
  const each = period.minutes === 1 ? 'minute' : `${period.minutes} minutes`;
  return (
    <Card
      title={`Requests per ${each}`}
      aside={
        <span className="flex flex-wrap items-center gap-4 text-sm text-soft">
          limit {formatCount(limit)} per minute
          <Select label="Show" choices={PERIODS} value={chosen} onChange={setChosen} />
        </span>
      }
    >
      <Bars
        bars={bars}
        label={`Requests per ${each} from ${bars[0]?.label} to ${bars.at(-1)?.label}.`}
        from={bars[0]?.label ?? ''}
        to={`now, ${bars.at(-1)?.label}`}
      />
    </Card>
  );
}

export function KeysUsage({ recent: { keys } }: { recent: Recent }): ReactNode {
  const names = useKeyNames();
  if (keys.length === 0) return <Empty title="No requests in the last 30 days." />;
  return (
    <table className="w-full text-left">
      <thead className="text-xs text-soft">
        <tr className="border-b border-line">
          <th scope="col" className="px-5 py-2 font-medium">
            Key
          </th>
          <th scope="col" className="px-5 py-2 text-right font-medium whitespace-nowrap">
            Today
          </th>
          <th scope="col" className="px-5 py-2 text-right font-medium whitespace-nowrap">
            30 days
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map(({ keyId, calls, today }) => (
          <tr key={keyId ?? ''} className="border-b border-line last:border-0">
            <td className="px-5 py-2.5 break-all">
              {keyId === null ? (
                <span className="text-soft">pages of the portal</span>
              ) : (
                (names.get(keyId) ?? keyId)
              )}
            </td>
            <td className="px-5 py-2.5 text-right">{formatCount(today)}</td>
            <td className="px-5 py-2.5 text-right">{formatCount(calls)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
