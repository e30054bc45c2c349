import { Injectable } from '@nestjs/common';
import type { CovarianceV1, PriceSource } from '@plimsoll/contracts';
import { Clock } from '@plimsoll/service-kit';
import { MarketDataConfig } from '../config';
import { Leader } from '../leadership/leader';
import { covarianceOf } from './covariance';
import { addDays, dayOf, daysBetween } from './day-bar';
import { HistoryFiller } from './history-filler';
import { HistoryRepository } from './history.repository';

/** After midnight (UTC) sources need some time to close the day. */
export const DAY_CLOSES_AFTER_MS = 300_000;
const WINDOW_DAYS = 365;
const KEEP_LIVE_BARS_DAYS = 10;
/** The first round requests years of every asset from an API, with a few seconds per request. */
const ROUND_DEADLINE_MS = 4 * 3_600_000;

/** Publishes each asset's history and the covariance of all assets, once a day and after a gap was filled. */
@Injectable()
export class HistoryKeeper {
  constructor(
    config: MarketDataConfig,
    private readonly clock: Clock,
    private readonly filler: HistoryFiller,
    private readonly repository: HistoryRepository,
    leader: Leader,
  ) {
    leader.repeat({
      name: 'history',
      everyMs: config.HISTORY_LOOK_MS,
      round: (signal) => this.maintain(signal),
      failure: 'histories could not be updated; the next round tries again',
      deadlineMs: ROUND_DEADLINE_MS,
    });
  }

  private async maintain(signal: AbortSignal): Promise<void> {
    const lastDay = addDays(dayOf(this.clock.now() - DAY_CLOSES_AFTER_MS), -1);
    const hasChanged = await this.filler.fillTo(lastDay, signal);
    const published = await this.repository.covariance();
    if (!hasChanged && published !== null && published.asOf >= lastDay) return;
    const event = await this.covarianceEvent(lastDay, published);
    if (event && !isSame(event, published)) await this.repository.saveCovariance(event);
    await this.repository.forgetLiveBars(addDays(lastDay, -KEEP_LIVE_BARS_DAYS));
  }

  private async covarianceEvent(lastDay: string, before: CovarianceV1 | null): Promise<CovarianceV1 | null> {
    const days = daysBetween(addDays(lastDay, -WINDOW_DAYS), lastDay);
    const at = new Map(days.map((day, index) => [day, index]));
    const closes = new Map<string, (number | null)[]>();
    for (const { asset, day, close } of await this.repository.closesSince(days[0]!)) {
      const row = closes.get(asset) ?? days.map(() => null);
      closes.set(asset, row);
      const index = at.get(day);
      if (index !== undefined) row[index] = close;
    }
    const found = covarianceOf(closes);
    if (found === null) return null;
    const { lastIndex, ...covariance } = found;
    return {
      returns: 'daily_log',
      asOf: days[lastIndex]!,
      version: (before?.version ?? 0) + 1,
      historySource: await this.mainSource(),
      ...covariance,
      updatedAt: new Date(this.clock.now()).toISOString(),
    };
  }

  /** Returns the source of most histories. */
  private async mainSource(): Promise<PriceSource> {
    const counts = new Map<PriceSource, number>();
    for (const { historySource } of await this.repository.histories()) {
      counts.set(historySource, (counts.get(historySource) ?? 0) + 1);
    }
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    if (!most) throw new Error('no history is long enough for a covariance');
    return most[0];
  }
}

/** Returns whether nothing has changed: an asset without a history today may have none for days. */
function isSame(after: CovarianceV1, before: CovarianceV1 | null): boolean {
  if (before === null || before.asOf !== after.asOf) return false;
  return (
    JSON.stringify([before.assets, before.today, before.longRun, before.excluded]) ===
    JSON.stringify([after.assets, after.today, after.longRun, after.excluded])
  );
}
