export const PRICE_STEP_MS = 60_000;

/** Prices of an asset in one minute, USD. */
export interface PriceMinute {
  asset: string;
  /** Minutes since 1970. */
  minute: number;
  high: number;
  low: number;
  /** The last price. */
  close: number;
  /** Time of the last price, milliseconds since 1970. */
  atMs: number;
}

/** Highest and lowest price within a time, USD. */
export interface PriceRange {
  high: number;
  low: number;
}

/** Recent prices of one asset by minute. A minute without prices is absent. */
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

  /** Minutes that are new or changed. */
  get changedMinutes(): PriceMinute[] {
    return [...this.changed];
  }

  /** @param atMs not earlier than that of any other price */
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

  /** Returns the range of the `count` minutes up to that of `atMs`, or null without a price. */
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

/** Returns the share by which a price differs from the farthest price of the range. Negative for a fall. */
export function moveFrom({ high, low }: PriceRange, priceUsd: number): number {
  const rise = priceUsd / low - 1;
  const fall = priceUsd / high - 1;
  return rise >= -fall ? rise : fall;
}

function minuteOf(atMs: number): number {
  return Math.floor(atMs / PRICE_STEP_MS);
}
