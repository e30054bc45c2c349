import type { ReactNode } from 'react';
import { apart } from '../design/line';
import type { Calibration } from './calibration';

const SIZE = 200;
const MARGIN = 1.1;
const LABEL = 9;
const percent = (value: number): string => `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`;

type Known = Calibration & { meanForecast: number; observedRate: number };

/** Forecast against outcome: each band has its name beside its mark, and a perfect forecast is on the diagonal. */
export function CalibrationChart({
  rows,
  horizonDays,
}: {
  rows: readonly Calibration[];
  horizonDays: number;
}): ReactNode {
  const known = rows.filter((row): row is Known => row.meanForecast !== null && row.observedRate !== null);
  const most = Math.min(
    1,
    Math.max(
      0.01,
      ...known.flatMap(({ meanForecast, observedRate, highest }) => [
        meanForecast,
        observedRate,
        highest ?? 0,
      ]),
    ) * MARGIN,
  );
  const at = (value: number): number => (Math.min(value, most) / most) * SIZE;
  const sorted = [...known].sort((a, b) => b.observedRate - a.observedRate);
  const places = apart(
    sorted.map(({ observedRate }) => 100 - (at(observedRate) / SIZE) * 100),
    LABEL,
    100 - LABEL / 2,
  );
  return (
    <figure className="px-5 pt-6 pb-4">
      <div className="flex gap-3">
        <div className="relative w-12 shrink-0 text-right text-xs text-faint" aria-hidden="true">
          <span className="absolute top-0 right-0 -translate-y-1/2">{percent(most)}</span>
          <span className="absolute right-0 bottom-0 translate-y-1/2">0 %</span>
        </div>
        <svg
          viewBox={`0 0 ${SIZE} ${SIZE}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Forecast and observed share of liquidations within ${horizonDays} days by band. The figures are in the table below.`}
          className="h-64 min-w-0 grow border-b border-l border-line-strong"
        >
          <line
            x1="0"
            x2={SIZE}
            y1={SIZE}
            y2="0"
            className="stroke-line-strong"
            strokeDasharray="6 4"
            vectorEffect="non-scaling-stroke"
          />
          {sorted.map(({ band, meanForecast, observedRate, lowest, highest }) => (
            <g key={band} className="stroke-accent">
              <title>{`${band}: forecast ${percent(meanForecast)}, observed ${percent(observedRate)}`}</title>
              <line
                x1={at(meanForecast)}
                x2={at(meanForecast)}
                y1={SIZE - at(lowest ?? observedRate)}
                y2={SIZE - at(highest ?? observedRate)}
                strokeWidth="2"
                vectorEffect="non-scaling-stroke"
              />
              {/* A line of no length, whose round ends are a dot at every size. */}
              <path
                d={`M${at(meanForecast)} ${SIZE - at(observedRate)}h0`}
                strokeWidth="12"
                strokeLinecap="round"
                vectorEffect="non-scaling-stroke"
              />
            </g>
          ))}
        </svg>
        <div className="relative w-24 shrink-0 text-xs text-soft" aria-hidden="true">
          {sorted.map(({ band, observedRate }, index) => (
            <span
              key={band}
              className="absolute left-0 -translate-y-1/2 whitespace-nowrap"
              style={{ top: `${places[index]}%` }}
            >
              {band} {percent(observedRate)}
            </span>
          ))}
        </div>
      </div>
      <figcaption className="mt-1.5 text-xs text-faint">
        <span className="flex justify-between pr-27 pl-15">
          <span>0 %</span>
          <span>{percent(most)}</span>
        </span>
        <span className="block pt-1 text-center">
          Across: mean forecast. Up: observed share. On the dashed line both are equal.
        </span>
      </figcaption>
    </figure>
  );
}
