import { Injectable } from '@nestjs/common';
import { type Condition, type MarketCondition, STATUS_DAYS } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { DAY_MS, type DayRow, dayOf, minuteOf } from './status-history';

/** A part of the platform in a minute. */
export interface RecordedPart {
  part: string;
  condition: Condition;
  /** The 95th percentile of the latency of events. Null: none. */
  latencyMs: number | null;
}

/** The record of a market. */
export interface MarketRow {
  chainId: number;
  protocol: string;
  market: string;
  lastReadBlock: number | null;
  lastReadAt: Date | null;
  unreadableSince: Date | null;
}

// A second gateway, or a second round, does not count the minute again.
const ADD_MINUTE = `
INSERT INTO status_days AS known (day, part, first_minute, last_minute, operational, degraded, down,
  latency_minutes, latency_sum_ms, latency_max_ms)
SELECT $1::date, part, $2::timestamptz, $2::timestamptz, (condition = 'operational')::int, (condition = 'degraded')::int,
  (condition = 'down')::int, (latency_ms IS NOT NULL)::int, coalesce(latency_ms, 0), latency_ms
FROM unnest($3::text[], $4::text[], $5::float8[]) AS now (part, condition, latency_ms)
ON CONFLICT (day, part) DO UPDATE SET
  last_minute = excluded.last_minute,
  operational = known.operational + excluded.operational,
  degraded = known.degraded + excluded.degraded,
  down = known.down + excluded.down,
  latency_minutes = known.latency_minutes + excluded.latency_minutes,
  latency_sum_ms = known.latency_sum_ms + excluded.latency_sum_ms,
  latency_max_ms = greatest(known.latency_max_ms, excluded.latency_max_ms)
WHERE known.last_minute < excluded.last_minute`;

const SAVE_MARKETS = `
INSERT INTO status_markets AS known (chain_id, protocol, market, last_read_block, last_read_at, unreadable_since, updated_at)
SELECT chain_id, protocol, market, block, read_at, CASE WHEN is_failing THEN $1::timestamptz END, $1::timestamptz
FROM unnest($2::int[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[], $7::boolean[])
  AS now (chain_id, protocol, market, block, read_at, is_failing)
ON CONFLICT (chain_id, protocol, market) DO UPDATE SET
  last_read_block = coalesce(excluded.last_read_block, known.last_read_block),
  last_read_at = coalesce(excluded.last_read_at, known.last_read_at),
  unreadable_since = CASE WHEN excluded.unreadable_since IS NOT NULL
    THEN coalesce(known.unreadable_since, excluded.unreadable_since) END,
  updated_at = excluded.updated_at
WHERE known.updated_at <= excluded.updated_at`;

/** Conditions of the last 90 days, in the database of the gateway. */
@Injectable()
export class StatusRecords {
  constructor(private readonly pool: Pool) {}

  /** Records a minute. A part that has it already stays as it is. */
  async add(
    nowMs: number,
    parts: readonly RecordedPart[],
    markets: readonly MarketCondition[],
  ): Promise<void> {
    const minute = new Date(minuteOf(nowMs));
    await this.pool.query(ADD_MINUTE, [
      dayOf(nowMs),
      minute,
      parts.map(({ part }) => part),
      parts.map(({ condition }) => condition),
      parts.map(({ latencyMs }) => latencyMs),
    ]);
    if (markets.length === 0) return;
    await this.pool.query(SAVE_MARKETS, [
      minute,
      markets.map(({ chainId }) => chainId),
      markets.map(({ protocol }) => protocol),
      markets.map(({ market }) => market),
      markets.map(({ lastRead }) => lastRead?.number ?? null),
      markets.map(({ lastRead }) => lastRead?.time ?? null),
      markets.map(({ failure }) => failure !== null),
    ]);
  }

  async days(nowMs: number): Promise<DayRow[]> {
    const { rows } = await this.pool.query<DayRow>(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, part, first_minute AS "firstMinute", last_minute AS "lastMinute", operational,
         degraded, down, latency_minutes AS "latencyMinutes", latency_sum_ms AS "latencySumMs", latency_max_ms AS "latencyMaxMs"
       FROM status_days WHERE day >= $1::date ORDER BY day`,
      [firstDay(nowMs)],
    );
    return rows;
  }

  async markets(): Promise<MarketRow[]> {
    const { rows } = await this.pool.query<MarketRow>(
      `SELECT chain_id AS "chainId", protocol, market, last_read_block::float8 AS "lastReadBlock", last_read_at AS "lastReadAt",
         unreadable_since AS "unreadableSince"
       FROM status_markets`,
    );
    return rows;
  }

  /** Deletes records of earlier days, and markets that are no longer followed. */
  async prune(nowMs: number): Promise<void> {
    const first = firstDay(nowMs);
    await this.pool.query('DELETE FROM status_days WHERE day < $1::date', [first]);
    await this.pool.query('DELETE FROM status_markets WHERE updated_at < $1::date', [first]);
  }
}

/** The oldest day that is kept. */
const firstDay = (nowMs: number): string => dayOf(nowMs - (STATUS_DAYS - 1) * DAY_MS);
