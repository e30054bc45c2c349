import type { ReactNode } from 'react';
import { formatCount } from './format';

const [WIDTH, HEIGHT, GAP] = [600, 140, 0.3];

export interface Bar {
  /** Of the period, for its title. */
  label: string;
  value: number;
}

/** Numbers of equal periods, the oldest first. */
export function Bars({
  bars,
  label,
  from,
  to,
}: {
  bars: readonly Bar[];
  /** Says what the chart shows, for readers of a screen. */
  label: string;
  /** Texts below the first and the last bar. */
  from: string;
  to: string;
}): ReactNode {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  if (bars.every(({ value }) => value === 0))
    return (
      <p className="m-5 grid h-36 place-items-center rounded-md border border-dashed border-line px-4 text-center text-sm text-soft">
        None from {from} to {to}.
      </p>
    );
  const step = WIDTH / bars.length;
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
          aria-label={`${label} The most were ${formatCount(most)}.`}
          className="h-36 min-w-0 grow border-b border-line"
        >
          <path d={`M0 .5H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}`} className="stroke-line" strokeDasharray="3 3" />
          {bars.map(({ label: period, value }, index) => {
            const height = value === 0 ? 0 : Math.max(2, (value / most) * HEIGHT);
            return (
              <rect
                key={period}
                x={(index + GAP / 2) * step}
                y={HEIGHT - height}
                width={step * (1 - GAP)}
                height={height}
                className="fill-accent"
              >
                <title>{`${period}: ${formatCount(value)}`}</title>
              </rect>
            );
          })}
        </svg>
      </div>
      <figcaption className="mt-1.5 flex justify-between pl-13 text-xs text-faint">
        <span>{from}</span>
        <span>{to}</span>
      </figcaption>
    </figure>
  );
}
