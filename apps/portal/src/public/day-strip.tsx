import type { ReactNode } from 'react';
import { formatDay } from '../design/format';
import { availabilityText, minutesText, shareOf } from './availability';
import type { StatusDay } from './requests';

/** Days of a full strip. */
const DAYS = 90;
const [WIDTH, HEIGHT, GAP] = [360, 28, 0.25];
/** A day with any unavailable minute is visibly lower. */
const LEAST_LOSS = 0.18;

/** A bar for each day, as high as the part was available. Days before the record are empty. */
export function DayStrip({ name, days }: { name: string; days: readonly StatusDay[] }): ReactNode {
  const step = WIDTH / DAYS;
  const first = DAYS - days.length;
  const worst = days.reduce<number | null>((lowest, day) => {
    const share = shareOf(day);
    return share === null ? lowest : Math.min(share, lowest ?? 1);
  }, null);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={
        worst === null
          ? `${name}: nothing is recorded yet.`
          : `${name} by day: ${days.length} of ${DAYS} days are recorded, the lowest availability was ${availabilityText(worst)}.`
      }
      className="ml-auto h-7 w-44 sm:w-56 lg:w-44 xl:w-60"
    >
      <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-line-strong" />
      {days.map((day, index) => {
        const share = shareOf(day);
        const height = (1 - lossOf(share)) * HEIGHT;
        const x = (first + index + GAP / 2) * step;
        return (
          <g key={day.date}>
            <title>{titleOf(day, share)}</title>
            <rect x={x} y="0" width={step * (1 - GAP)} height={HEIGHT} className="fill-line" />
            <rect
              x={x}
              y={HEIGHT - height}
              width={step * (1 - GAP)}
              height={height}
              className="fill-accent"
            />
          </g>
        );
      })}
    </svg>
  );
}

/** The part of a bar that is empty. */
function lossOf(share: number | null): number {
  if (share === null) return 1;
  return share === 1 ? 0 : Math.max(LEAST_LOSS, 1 - share);
}

function titleOf(day: StatusDay, share: number | null): string {
  const parts = (['degraded', 'down', 'unrecorded'] as const).flatMap((name) =>
    day[name] > 0 ? [`${minutesText(day[name])} ${name === 'unrecorded' ? 'not recorded' : name}`] : [],
  );
  return `${formatDay(day.date)} (UTC): ${[availabilityText(share), ...parts].join(', ')}`;
}
