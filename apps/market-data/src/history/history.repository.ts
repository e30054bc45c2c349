import { Inject, Injectable } from '@nestjs/common';
import type { CovarianceV1, PriceSource } from '@plimsoll/contracts';
import { appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { Pool, type PoolClient } from 'pg';
import { PrismaClient, type PriceHistory } from '../generated/prisma/client';
import { Leader } from '../leadership/leader';
import { type DayBar, dayOf } from './day-bar';
import { type StoredHistory, freshBars, historyEvent } from './history-event';

/** A close of a day. */
export interface DayClose {
  asset: string;
  day: string;
  close: number;
}

const LATEST_BARS = `
SELECT DISTINCT ON (day) to_char(day, 'YYYY-MM-DD') AS day, open, high, low, close,
  count(*) OVER (PARTITION BY day) > 1 AS "isCorrected" FROM daily_bars WHERE asset = $1 AND day >= $2 ORDER BY day, version DESC`;

const HISTORY = `
SELECT asset, version, history_source AS "historySource", to_char(first_day, 'YYYY-MM-DD') AS "firstDay",
  to_char(last_day, 'YYYY-MM-DD') AS "lastDay", updated_at AS "updatedAt" FROM price_histories
WHERE asset = $1`;

const CORRECTIONS = `
SELECT to_char(day, 'YYYY-MM-DD') AS day, max(version) AS version FROM daily_bars
WHERE asset = $1 GROUP BY day HAVING count(*) > 1 ORDER BY day`;

const INSERT_BARS = `
INSERT INTO daily_bars (asset, day, version, open, high, low, close)
SELECT $1, day, $2, open, high, low, close
FROM unnest($3::date[], $4::float8[], $5::float8[], $6::float8[], $7::float8[]) AS bar (day, open, high, low, close)`;

const SAVE_HISTORY = `
INSERT INTO price_histories (asset, version, history_source, first_day, last_day, updated_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (asset) DO UPDATE SET version = excluded.version, first_day = least(price_histories.first_day, excluded.first_day),
  last_day = excluded.last_day, updated_at = excluded.updated_at`;

/** Daily bars, and what is published of them. */
@Injectable()
export class HistoryRepository {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly prisma: PrismaClient,
    private readonly leader: Leader,
  ) {}

  /** Returns the facts of every asset with a history. */
  async histories(): Promise<StoredHistory[]> {
    return (await this.prisma.priceHistory.findMany()).map(historyOf);
  }

  async find(asset: string): Promise<StoredHistory | null> {
    const found = await this.prisma.priceHistory.findUnique({ where: { asset } });
    return found && historyOf(found);
  }

  /** Returns the latest version of each bar from the day on, oldest first. */
  async bars(asset: string, firstDay: string): Promise<(DayBar & { isCorrected: boolean })[]> {
    return (await this.pool.query<DayBar & { isCorrected: boolean }>(LATEST_BARS, [asset, firstDay])).rows;
  }

  /** Returns bars of published prices. */
  async liveBars(asset: string, firstDay: string, lastDay: string): Promise<DayBar[]> {
    const rows = await this.prisma.liveBar.findMany({
      omit: { asset: true },
      where: { asset, day: { gte: new Date(firstDay), lte: new Date(lastDay) } },
      orderBy: { day: 'asc' },
    });
    return rows.map((bar) => ({ ...bar, day: dayOf(bar.day.getTime()) }));
  }

  /**
   * Stores bars up to `lastDay` and publishes the resulting history. Days without a bar become gaps. Bars
   * that differ from stored ones are corrections.
   * @returns whether anything was new
   */
  async append(
    asset: string,
    historySource: PriceSource,
    bars: readonly DayBar[],
    lastDay: string,
    nowMs: number,
  ): Promise<boolean> {
    return this.leader.transaction(async (tx) => {
      const { rows } = await tx.query<StoredHistory>(HISTORY, [asset]);
      const stored = rows[0];
      const firstDay = bars[0]?.day ?? stored?.firstDay;
      if (firstDay === undefined) return false;
      const known = await tx.query<DayBar>(LATEST_BARS, [asset, firstDay]);
      const fresh = freshBars(known.rows, bars);
      if (fresh.length === 0 && stored?.lastDay === lastDay) return false;
      const version = (stored?.version ?? 0) + 1;
      await insertBars(tx, asset, version, fresh);
      await tx.query(SAVE_HISTORY, [asset, version, historySource, firstDay, lastDay, new Date(nowMs)]);
      await this.publish(tx, asset);
      return true;
    });
  }

  private async publish(tx: PoolClient, asset: string): Promise<void> {
    const history = (await tx.query<StoredHistory>(HISTORY, [asset])).rows[0];
    if (!history) throw new Error(`${asset} has no history to publish`);
    const bars = await tx.query<DayBar>(LATEST_BARS, [asset, history.firstDay]);
    const corrections = await tx.query<{ day: string; version: number }>(CORRECTIONS, [asset]);
    const event = historyEvent(history, bars.rows, corrections.rows);
    await appendToOutbox(tx, [outgoing('price-history.v1', event)]);
  }

  /** Returns the closes of all assets from the day on. */
  async closesSince(firstDay: string): Promise<DayClose[]> {
    const { rows } = await this.pool.query<DayClose>(
      `SELECT DISTINCT ON (asset, day) asset, to_char(day, 'YYYY-MM-DD') AS day, close
       FROM daily_bars WHERE day >= $1 ORDER BY asset, day, version DESC`,
      [firstDay],
    );
    return rows;
  }

  /** Returns the last published covariance. */
  async covariance(): Promise<CovarianceV1 | null> {
    const found = await this.prisma.covariance.findFirst({ select: { event: true } });
    return found && (found.event as unknown as CovarianceV1);
  }

  async saveCovariance(event: CovarianceV1): Promise<void> {
    await this.leader.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO covariances (returns, version, event) VALUES ($1, $2, $3)
         ON CONFLICT (returns) DO UPDATE SET version = excluded.version, event = excluded.event, updated_at = now()`,
        [event.returns, event.version, JSON.stringify(event)],
      );
      await appendToOutbox(tx, [outgoing('covariance.v1', event)]);
    });
  }

  /** Live bars are needed until their day is published. */
  async forgetLiveBars(beforeDay: string): Promise<void> {
    await this.prisma.liveBar.deleteMany({ where: { day: { lt: new Date(beforeDay) } } });
  }
}

function historyOf({ historySource, firstDay, lastDay, ...history }: PriceHistory): StoredHistory {
  return {
    ...history,
    historySource: historySource as PriceSource,
    firstDay: dayOf(firstDay.getTime()),
    lastDay: dayOf(lastDay.getTime()),
  };
}

async function insertBars(
  tx: PoolClient,
  asset: string,
  version: number,
  bars: readonly DayBar[],
): Promise<void> {
  await tx.query(INSERT_BARS, [
    asset,
    version,
    bars.map(({ day }) => day),
    bars.map(({ open }) => open),
    bars.map(({ high }) => high),
    bars.map(({ low }) => low),
    bars.map(({ close }) => close),
  ]);
}
