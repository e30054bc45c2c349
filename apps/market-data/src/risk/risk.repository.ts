import { Inject, Injectable } from '@nestjs/common';
import type { ChainV1, RiskTrend } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { Leader } from '../leadership/leader';
import { Recent } from '../recent';
import type { IndexRecord } from './risk-responses';
import type { DayRange } from './volatility';

const FRESH_MS = 1_000;
const HOUR_MS = 3_600_000;
const KEEP = `interval '400 days'`;

interface Row {
  hourMs: number;
  gri: number;
  trend: RiskTrend;
  volatility: number;
  liquidationPressure: number;
  protocolStability: number;
  measuredAtMs: number;
}

const COLUMNS = `(extract(epoch FROM hour) * 1000)::float8 AS "hourMs", gri, trend, volatility,
  liquidation_pressure AS "liquidationPressure", protocol_stability AS "protocolStability",
  (extract(epoch FROM measured_at) * 1000)::float8 AS "measuredAtMs"`;

/** Value locked then and now, over the markets that are known at both times. */
const TVL_CHANGE = `
SELECT coalesce(sum(now_hour.tvl_usd), 0) AS "nowUsd", coalesce(sum(then_hour.tvl_usd), 0) AS "thenUsd"
FROM tvl_hours now_hour JOIN tvl_hours then_hour USING (chain_id, protocol, market)
WHERE now_hour.hour = to_timestamp($1) AND then_hour.hour = (
  SELECT max(hour) FROM tvl_hours
  WHERE hour <= to_timestamp($1) - interval '24 hours' AND hour > to_timestamp($1) - interval '27 hours')`;

/** The index by hour, and its inputs. */
@Injectable()
export class RiskRepository {
  private readonly newest: Recent<IndexRecord | null>;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly leader: Leader,
  ) {
    this.newest = new Recent(async () => {
      const { rows } = await pool.query<Row>(
        `SELECT ${COLUMNS} FROM risk_index_hours ORDER BY hour DESC LIMIT 1`,
      );
      return rows[0] ? recordOf(rows[0]) : null;
    }, FRESH_MS);
  }

  /** Returns the current index, at most a second old, or null before the first. */
  current(): Promise<IndexRecord | null> {
    return this.newest.get();
  }

  /** Newest first. */
  async since(fromMs: number): Promise<IndexRecord[]> {
    const { rows } = await this.pool.query<Row>(
      `SELECT ${COLUMNS} FROM risk_index_hours WHERE hour >= to_timestamp($1) ORDER BY hour DESC`,
      [fromMs / 1_000],
    );
    return rows.map(recordOf);
  }

  /** Returns the index of 24 hours ago, or null when it was not measured. */
  async dayAgo(hourMs: number): Promise<number | null> {
    const { rows } = await this.pool.query<{ gri: number }>(
      `SELECT gri FROM risk_index_hours WHERE hour <= to_timestamp($1) - interval '24 hours'
         AND hour > to_timestamp($1) - interval '27 hours' ORDER BY hour DESC LIMIT 1`,
      [hourMs / 1_000],
    );
    return rows[0]?.gri ?? null;
  }

  /** @throws NotLeadingError */
  async save({ hourMs, gri, trend, components, measuredAtMs }: IndexRecord): Promise<void> {
    const { volatility, liquidationPressure, protocolStability } = components;
    await this.leader.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO risk_index_hours
           (hour, gri, trend, volatility, liquidation_pressure, protocol_stability, measured_at)
         VALUES (to_timestamp($1), $2, $3, $4, $5, $6, $7)
         ON CONFLICT (hour) DO UPDATE SET gri = excluded.gri, trend = excluded.trend, volatility = excluded.volatility,
           liquidation_pressure = excluded.liquidation_pressure, protocol_stability = excluded.protocol_stability,
           measured_at = excluded.measured_at`,
        [
          hourMs / 1_000,
          gri,
          trend,
          volatility,
          liquidationPressure,
          protocolStability,
          new Date(measuredAtMs),
        ],
      );
      await tx.query(`DELETE FROM risk_index_hours WHERE hour < now() - ${KEEP}`);
    });
  }

  /**
   * Stores the totals of each market in this hour.
   * @throws NotLeadingError
   */
  async saveTvl(hourMs: number, states: readonly ChainV1[]): Promise<void> {
    const rows = states.flatMap(({ chainId, markets }) =>
      markets.flatMap(({ protocol, market, totals }) =>
        totals ? [{ chainId, protocol, market, usd: totals.suppliedUsd - totals.borrowedUsd }] : [],
      ),
    );
    await this.leader.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO tvl_hours (hour, chain_id, protocol, market, tvl_usd)
         SELECT to_timestamp($1), * FROM unnest($2::int[], $3::text[], $4::text[], $5::float8[])
         ON CONFLICT (hour, chain_id, protocol, market) DO UPDATE SET tvl_usd = excluded.tvl_usd`,
        [
          hourMs / 1_000,
          rows.map(({ chainId }) => chainId),
          rows.map(({ protocol }) => protocol),
          rows.map(({ market }) => market),
          rows.map(({ usd }) => usd),
        ],
      );
      await tx.query(`DELETE FROM tvl_hours WHERE hour < now() - interval '3 days'`);
    });
  }

  /** Returns the fall of the value locked over 24 hours, as a share. 0 when it rose or is unknown. */
  async tvlFall(hourMs: number): Promise<number> {
    const { rows } = await this.pool.query<{ nowUsd: number; thenUsd: number }>(TVL_CHANGE, [hourMs / 1_000]);
    const { nowUsd = 0, thenUsd = 0 } = rows[0] ?? {};
    return thenUsd > 0 ? Math.max(0, 1 - nowUsd / thenUsd) : 0;
  }

  /** Returns the range of the current day, for the assets with prices today. */
  async todaysRanges(assets: readonly string[], day: string): Promise<DayRange[]> {
    const { rows } = await this.pool.query<DayRange>(
      'SELECT high, low FROM live_bars WHERE day = $1 AND asset = ANY($2)',
      [day, assets],
    );
    return rows;
  }
}

/** Returns the start of the hour of a time. */
export function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}

function recordOf({ hourMs, gri, trend, measuredAtMs, ...components }: Row): IndexRecord {
  return { hourMs, gri, trend, components, measuredAtMs };
}
