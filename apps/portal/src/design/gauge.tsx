import type { ReactNode } from 'react';
import { type Level, healthText } from './levels';

/** Health factors at the ends of the gauge. Those outside are shown at its ends. */
const [LOWEST, HIGHEST] = [0.9, 1.7];
const placeOf = (healthFactor: number): number =>
  (Math.min(Math.max(healthFactor, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST);

export interface HealthThresholds {
  liquidatable: number;
  critical: number;
  high: number;
  moderate: number;
}

/** A health factor against the line below which the position is liquidated, and the levels above it. */
export function HealthGauge({
  healthFactor,
  level,
  thresholds: { liquidatable, critical, high, moderate },
  hasDebt,
}: {
  healthFactor: number | null;
  level: Level;
  thresholds: HealthThresholds;
  hasDebt: boolean;
}): ReactNode {
  const bands = [
    [LOWEST, liquidatable, 'fill-risk-5'],
    [liquidatable, critical, 'fill-risk-4'],
    [critical, high, 'fill-risk-3'],
    [high, moderate, 'fill-risk-2'],
    [moderate, HIGHEST, 'fill-risk-1'],
  ] as const;
  const marks = [liquidatable, critical, high, moderate];
  const text = healthText(healthFactor, hasDebt);
  return (
    <div className="flex flex-col gap-1">
      <svg
        viewBox="0 0 800 72"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Health factor ${text}, level ${level}. Liquidation below ${liquidatable}.`}
        className="h-[72px] w-full overflow-visible"
      >
        {bands.map(([from, to, fill]) => (
          <rect
            key={fill}
            x={placeOf(from) * 800 + 1}
            y="30"
            width={Math.max(0, (placeOf(to) - placeOf(from)) * 800 - 2)}
            height="14"
            className={fill}
          />
        ))}
        <Mark at={liquidatable} from={8} to={66} width={2} />
        {healthFactor !== null && <Mark at={healthFactor} from={20} to={54} width={5} />}
      </svg>
      <div className="relative h-9 text-xs text-soft" aria-hidden="true">
        {marks.map((mark) => (
          <span
            key={mark}
            className="absolute flex -translate-x-1/2 flex-col items-center"
            style={{ left: `${placeOf(mark) * 100}%` }}
          >
            {mark.toFixed(2)}
            {mark === liquidatable && <span className="font-medium text-text">liquidation</span>}
          </span>
        ))}
      </div>
    </div>
  );
}

/** A vertical line at a health factor. */
function Mark({ at, from, to, width }: { at: number; from: number; to: number; width: number }): ReactNode {
  const x = placeOf(at) * 800;
  return (
    <line
      x1={x}
      x2={x}
      y1={from}
      y2={to}
      className="stroke-text"
      strokeWidth={width}
      vectorEffect="non-scaling-stroke"
    />
  );
}
