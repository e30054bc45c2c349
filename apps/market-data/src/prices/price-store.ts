import { Inject, Injectable } from '@nestjs/common';
import type { PriceV1 } from '@plimsoll/contracts';
import { appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client';
import { Leader } from '../leadership/leader';

/** The stored state of an asset's price: the published event, and values that only the API shows. */
export interface PriceState {
  event: PriceV1;
  /** USD. 0 when no source states it, as CoinGecko does. */
  marketCapUsd: number;
  /** Percent since `changeSince`. */
  change24h: number;
  /** 24 hours ago, or later while the price has been known for less than a day. */
  changeSince: string;
}

/** A past price. */
export interface PriceSample {
  asset: string;
  atMs: number;
  priceUsd: number;
}

/** Interval of the stored prices for the change over a day. */
const SAMPLE_MS = 300_000;

/**
 * One statement writes the state, a sample every five minutes, and the bar of the day. Stale prices write
 * neither sample nor bar.
 */
const SAVE = `
WITH change AS (
  SELECT asset, state, is_stale, usd FROM unnest($1::text[], $2::jsonb[], $3::boolean[], $4::float8[])
    AS change (asset, state, is_stale, usd)
), sampled AS (
  INSERT INTO price_samples (asset, at, price_usd)
  SELECT asset, to_timestamp($5), usd FROM change WHERE NOT is_stale
  ON CONFLICT (asset, at) DO NOTHING
), drawn AS (
  INSERT INTO live_bars AS bar (asset, day, open, high, low, close)
  SELECT asset, $6::date, usd, usd, usd, usd FROM change WHERE NOT is_stale
  ON CONFLICT (asset, day) DO UPDATE SET
    high = greatest(bar.high, excluded.high), low = least(bar.low, excluded.low), close = excluded.close
)
INSERT INTO prices (asset, state, changed_at) SELECT asset, state, clock_timestamp() FROM change
ON CONFLICT (asset) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at`;

/** The sample of a day ago, or the first one after it. */
const DAY_AGO = `
SELECT DISTINCT ON (asset) asset, (extract(epoch FROM at) * 1000)::float8 AS "atMs", price_usd AS "priceUsd"
FROM price_samples
WHERE at > to_timestamp($1) - interval '30 minutes'
ORDER BY asset, at <= to_timestamp($1) DESC, abs(extract(epoch FROM at) - $1)`;

/** Published prices with their samples and bars. */
@Injectable()
export class PriceStore {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly leader: Leader,
    private readonly prisma: PrismaClient,
  ) {}

  /** Returns the states written since the time, on the clock of the database, or all without one. */
  async changedSince(moment: string | null): Promise<{ states: PriceState[]; moment: string | null }> {
    const { rows } = await this.pool.query<{ state: PriceState; moment: string }>(
      `SELECT state, (max(changed_at) OVER () - interval '5 seconds')::text AS moment FROM prices
       WHERE $1::timestamptz IS NULL OR changed_at > $1`,
      [moment],
    );
    return { states: rows.map(({ state }) => state), moment: rows[0]?.moment ?? moment };
  }

  /**
   * Writes the states and publishes their events, all or none.
   * @throws NotLeadingError
   */
  async save(states: readonly PriceState[], nowMs: number): Promise<void> {
    const events = states.map(({ event }) => outgoing('price.v1', event));
    await this.leader.transaction(async (tx) => {
      await tx.query({
        name: 'save-prices',
        text: SAVE,
        values: [
          states.map(({ event }) => event.asset),
          states.map((state) => JSON.stringify(state)),
          states.map(({ event }) => event.isStale),
          states.map(({ event }) => event.priceUsd),
          (Math.floor(nowMs / SAMPLE_MS) * SAMPLE_MS) / 1_000,
          new Date(nowMs).toISOString().slice(0, 10),
        ],
      });
      await appendToOutbox(tx, events);
    });
  }

  /** Returns the price of each asset a day ago, or the first one known since. */
  async dayAgo(nowMs: number): Promise<PriceSample[]> {
    const { rows } = await this.pool.query<PriceSample>(DAY_AGO, [(nowMs - 86_400_000) / 1_000]);
    return rows;
  }

  /** Samples are needed for a little more than a day. */
  async forgetSamples(nowMs: number): Promise<void> {
    await this.prisma.priceSample.deleteMany({ where: { at: { lt: new Date(nowMs - 2 * 86_400_000) } } });
  }
}
