import type { ReactNode } from 'react';
import { LEVELS, type Level, fallToLiquidation } from './levels';

/** Part of a bar that is visible beside its line, in percent. */
const NARROWEST = 4;
const STEPS = [1, 2, 3, 4, 5] as const;
const TEXT: Record<Level, string> = {
  none: 'text-soft',
  low: 'text-risk-1',
  moderate: 'text-risk-2',
  high: 'text-risk-3',
  critical: 'text-risk-4',
  liquidatable: 'text-risk-5',
};

/** A level: its word, and as many filled bars as it is steps from safety. */
export function RiskLevel({ level, hasDebt }: { level: Level; hasDebt: boolean }): ReactNode {
  const step = LEVELS.indexOf(level);
  return (
    <span
      className={`inline-flex h-6 items-center gap-1.5 text-sm font-medium whitespace-nowrap ${TEXT[level]}`}
    >
      <svg viewBox="0 0 19 10" className="h-2.5 w-[19px]" aria-hidden="true">
        {STEPS.map((each) => (
          <rect
            key={each}
            x={(each - 1) * 4}
            y={10 - each * 2}
            width="3"
            height={each * 2}
            className={each <= step ? 'fill-current' : 'fill-line'}
          />
        ))}
      </svg>
      {level === 'none' && !hasDebt ? 'no debt' : level}
    </span>
  );
}

/**
 * How far all collateral may fall before the liquidation at the left end. The text beside it says the same, so readers of a
 * screen leave it out.
 */
export function HealthBar({ healthFactor, level }: { healthFactor: number | null; level: Level }): ReactNode {
  const left = fallToLiquidation(healthFactor);
  if (healthFactor === null) return <svg viewBox="0 0 100 6" className="h-1.5 w-full" aria-hidden="true" />;
  return (
    <svg
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      className={`h-1.5 w-full ${TEXT[level]}`}
      aria-hidden="true"
    >
      <rect width="100" height="6" className="fill-line" />
      {left !== null && <rect width={Math.max(NARROWEST, left)} height="6" className="fill-current" />}
      <rect width="1" height="6" className="fill-text" />
    </svg>
  );
}
