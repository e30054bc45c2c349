import type { PriceHistoryV1, PriceSource } from '@plimsoll/contracts';
import { type DayBar, daysBetween } from './day-bar';

/** The stored facts about an asset's history beside its bars. */
export interface StoredHistory {
  asset: string;
  version: number;
  historySource: PriceSource;
  firstDay: string;
  lastDay: string;
  updatedAt: Date;
}

/**
 * Prices are equal below this relative difference, because sources write the same price with different
 * digits.
 */
const SAME = 1e-6;

/** Returns the bars that are new or differ from the known ones. */
export function freshBars(known: readonly DayBar[], bars: readonly DayBar[]): DayBar[] {
  const byDay = new Map(known.map((bar) => [bar.day, bar]));
  return bars.filter((bar) => {
    const before = byDay.get(bar.day);
    return (
      !before ||
      (['open', 'high', 'low', 'close'] as const).some((price) => differs(before[price], bar[price]))
    );
  });
}

/** Returns the price-history.v1 of the bars, in columns. A day without a bar is a gap. */
export function historyEvent(
  { asset, version, historySource, firstDay, lastDay, updatedAt }: StoredHistory,
  bars: readonly DayBar[],
  corrections: readonly { day: string; version: number }[],
): PriceHistoryV1 {
  const byDay = new Map(bars.map((bar) => [bar.day, bar]));
  const days = daysBetween(firstDay, lastDay);
  const column = (price: 'open' | 'high' | 'low' | 'close') =>
    days.map((day) => byDay.get(day)?.[price] ?? null);
  return {
    asset,
    version,
    historySource,
    firstDay,
    lastDay,
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    corrections: corrections.map((correction) => ({ day: correction.day, version: correction.version })),
    updatedAt: updatedAt.toISOString(),
  };
}

function differs(a: number, b: number): boolean {
  return Math.abs(a / b - 1) > SAME;
}
