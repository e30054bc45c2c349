import type { ReactNode } from 'react';
import { type Band, type Point, apart, areaOf, pathOf, rangeOf } from './line';

const [WIDTH, HEIGHT] = [800, 200];
/** Height of a label beside the chart, in percent of the chart. */
const LABEL = 9;

/** Something that happened on the axis of a chart. */
export interface Mark {
  id: string;
  at: number;
  /** Its number in the list below the chart. */
  number: number;
}

/**
 * A figure over time with a horizontal line that it must not cross, and marks of what happened. A band around it has a name for each of
 * its lines, so that readers need no colour.
 */
export function LineChart({
  points,
  band,
  marks = [],
  line,
  label,
  format,
  from,
  to,
}: {
  /** The oldest first. */
  points: readonly Point[];
  band?: Band;
  marks?: readonly Mark[];
  line: { value: number; name: string };
  /** Says what the chart shows, for readers of a screen. */
  label: string;
  format: (value: number) => string;
  /** Texts below the ends. */
  from: string;
  to: string;
}): ReactNode {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 1];
  const edges = band ? [band.high, band.low] : [];
  const [low, high] = rangeOf([...points, ...edges.flat()], line.value);
  const x = (at: number): number => ((at - first) / Math.max(1, last - first)) * WIDTH;
  const y = (value: number): number => HEIGHT - ((value - low) / (high - low)) * HEIGHT;
  const ends = [band?.high, points, band?.low].map((each) => y(each?.at(-1)?.value ?? low));
  const places = apart(
    ends.map((end) => (end / HEIGHT) * 100),
    LABEL,
    100 - LABEL / 2,
  );
  const shown = marks.filter(({ at }) => at >= first && at <= last);
  return (
    <figure className="px-5 pt-6 pb-4">
      <div className="flex gap-3">
        <div className="relative w-12 shrink-0 text-right text-xs text-faint" aria-hidden="true">
          <span className="absolute top-0 right-0 -translate-y-1/2">{format(high)}</span>
          <span className="absolute right-0 bottom-0 translate-y-1/2">{format(low)}</span>
        </div>
        <div className="relative min-w-0 grow">
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={label}
            className="h-52 w-full border-b border-line"
          >
            {band && <path d={areaOf(band, x, y)} className="fill-accent-soft" />}
            {edges.map((edge, index) => (
              <path
                key={index}
                d={pathOf(edge, x, y)}
                fill="none"
                className="stroke-accent"
                strokeWidth="1"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            <line
              x1="0"
              x2={WIDTH}
              y1={y(line.value)}
              y2={y(line.value)}
              className="stroke-risk-5"
              strokeWidth="1.5"
              strokeDasharray="6 4"
              vectorEffect="non-scaling-stroke"
            />
            {shown.map(({ id, at }) => (
              <line
                key={id}
                x1={x(at)}
                x2={x(at)}
                y1="0"
                y2={HEIGHT}
                className="stroke-line-strong"
                strokeWidth="1"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            <path
              d={pathOf(points, x, y)}
              fill="none"
              className="stroke-accent"
              strokeWidth="2"
              strokeLinecap="round"
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
          <span
            aria-hidden="true"
            className={`absolute -translate-y-full text-xs font-medium text-risk-5 ${band ? 'left-1' : 'right-0'}`}
            style={{ top: `${(y(line.value) / HEIGHT) * 100}%` }}
          >
            {line.name}
          </span>
          {shown.map(({ id, at, number }) => (
            <span
              key={id}
              aria-hidden="true"
              className="absolute -top-5 -translate-x-1/2 text-xs font-medium text-soft"
              style={{ left: `${(x(at) / WIDTH) * 100}%` }}
            >
              {number}
            </span>
          ))}
        </div>
        {band && (
          <div className="relative w-14 shrink-0 text-xs text-soft" aria-hidden="true">
            {band.names.map((name, index) => (
              <span
                key={name}
                className="absolute left-0 -translate-y-1/2 whitespace-nowrap"
                style={{ top: `${places[index]}%` }}
              >
                {name}
              </span>
            ))}
          </div>
        )}
      </div>
      <figcaption className={`mt-1.5 flex justify-between pl-15 text-xs text-faint ${band ? 'pr-17' : ''}`}>
        <span>{from}</span>
        <span>{to}</span>
      </figcaption>
    </figure>
  );
}
