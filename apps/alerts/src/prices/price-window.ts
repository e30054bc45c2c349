export const PRICE_STEP_MS = 60_000;

/** What an asset cost in one minute, USD. */
export interface PriceMinute {
  asset: string;
  /** Since 1970. */
  minute: number;
  high: number;
  low: number;
  /** The last one. */
  close: number;
  /** Time of the last one, milliseconds since 1970. */
  atMs: number;
}

/** Highest and lowest price of a span, USD. */
export interface PriceRange {
  high: number;
  low: number;
}

/** The recent prices of one asset by minute; a minute without any has none. */
export class PriceWindow {
  private readonly minutes: PriceMinute[];
  private readonly changed = new Set<PriceMinute>();

  /** @param minutes in order */
  constructor(
    private readonly asset: string,
    minutes: readonly PriceMinute[],
  ) {
    this.minutes = [...minutes];
  }

  /** Minutes that are new or different. */
  get news(): PriceMinute[] {
    return [...this.changed];
  }

  /** @param atMs not before that of any other */
  add(priceUsd: number, atMs: number): void {
    const minute = minuteOf(atMs);
    let last = this.minutes.at(-1);
    if (last?.minute !== minute) {
      last = { asset: this.asset, minute, high: priceUsd, low: priceUsd, close: priceUsd, atMs };
      this.minutes.push(last);
    }
    last.high = Math.max(last.high, priceUsd);
    last.low = Math.min(last.low, priceUsd);
    last.close = priceUsd;
    last.atMs = atMs;
    this.changed.add(last);
  }

  /** Of the `count` minutes up to that of `atMs`; null: nothing is known of them. */
  range(atMs: number, count: number): PriceRange | null {
    const until = minuteOf(atMs);
    const within = this.minutes.filter(({ minute }) => minute <= until && minute > until - count);
    if (within.length === 0) return null;
    return {
      high: Math.max(...within.map(({ high }) => high)),
      low: Math.min(...within.map(({ low }) => low)),
    };
  }
}

/** Share by which a price differs from the one of the range that is furthest from it; negative: it fell. */
export function moveFrom({ high, low }: PriceRange, priceUsd: number): number {
  const rise = priceUsd / low - 1;
  const fall = priceUsd / high - 1;
  return rise >= -fall ? rise : fall;
}

function minuteOf(atMs: number): number {
  return Math.floor(atMs / PRICE_STEP_MS);
}
