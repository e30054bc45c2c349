import { Inject, Injectable } from '@nestjs/common';
import type { ChainV1, RiskTrend } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { PrismaClient, type RiskIndexHour } from '../generated/prisma/client';
import { Leader } from '../leadership/leader';
import { Recent } from '../recent';
import type { IndexRecord } from './risk-responses';
import type { DayRange } from './volatility';

const FRESH_MS = 1_000;
const HOUR_MS = 3_600_000;
const KEEP = `interval '400 days'`;

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
    private readonly prisma: PrismaClient,
    private readonly leader: Leader,
  ) {
    this.newest = new Recent(async () => {
      const newest = await prisma.riskIndexHour.findFirst({ orderBy: { hour: 'desc' } });
      return newest && recordOf(newest);
    }, FRESH_MS);
  }

  /** Returns the current index, at most a second old, or null before the first. */
  current(): Promise<IndexRecord | null> {
    return this.newest.get();
  }

  /** Newest first. */
  async since(fromMs: number): Promise<IndexRecord[]> {
    const rows = await this.prisma.riskIndexHour.findMany({
      where: { hour: { gte: new Date(fromMs) } },
      orderBy: { hour: 'desc' },
    });
    return rows.map(recordOf);
  }

  /** Returns the index of 24 hours ago, or null when it was not measured. */
  async dayAgo(hourMs: number): Promise<number | null> {
    const found = await this.prisma.riskIndexHour.findFirst({
      select: { gri: true },
      where: { hour: { lte: new Date(hourMs - 24 * HOUR_MS), gt: new Date(hourMs - 27 * HOUR_MS) } },
      orderBy: { hour: 'desc' },
    });
    return found?.gri ?? null;
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
  todaysRanges(assets: readonly string[], day: string): Promise<DayRange[]> {
    return this.prisma.liveBar.findMany({
      select: { high: true, low: true },
      where: { day: new Date(day), asset: { in: [...assets] } },
    });
  }
}

/** Returns the start of the hour of a time. */
export function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}

function recordOf({ hour, gri, trend, measuredAt, ...components }: RiskIndexHour): IndexRecord {
  return {
    hourMs: hour.getTime(),
    gri,
    trend: trend as RiskTrend,
    components,
    measuredAtMs: measuredAt.getTime(),
  };
}
