import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { PriceV1 } from '@plimsoll/contracts';
import type { EventBatch, SqlExecutor } from '@plimsoll/event-bus';
import { WatchesRepository } from '../accounts/watches.repository';
import { AlertsConfig } from '../config';
import { type PriceTick, freshTicks } from '../prices/fresh-ticks';
import { PriceMinutesRepository } from '../prices/price-minutes.repository';
import { PRICE_STEP_MS, type PriceRange, PriceWindow } from '../prices/price-window';
import { PricesRepository } from '../prices/prices.repository';
import { AssetConditions } from '../sources/asset-price/asset-conditions.service';
import { thresholdsOf } from '../sources/rule/crossed-rules';
import { type PriceChange, PriceRules } from './price-rules.service';

/**
 * Minutes whose prices are evaluated again with each new price. This bounds how long a position that appeared
 * while a price was handled is missed.
 */
const REEVALUATED_MINUTES = 2;

/** Handles a price that moved or went stale: evaluates rules on it, and alerts about its asset. */
@Controller()
export class PriceConsumer {
  constructor(
    private readonly config: AlertsConfig,
    private readonly watches: WatchesRepository,
    private readonly prices: PricesRepository,
    private readonly minutes: PriceMinutesRepository,
    private readonly rules: PriceRules,
    private readonly conditions: AssetConditions,
  ) {}

  @EventPattern('price.v1')
  async handle(@Payload() { events, tx }: EventBatch<PriceV1>): Promise<void> {
    await this.watches.lockForReading(tx);
    const known = await this.prices.lock(tx, [...new Set(events.map(({ key }) => key))]);
    const ticks = freshTicks(events, known);
    if (ticks.length === 0) return;
    const windows = await this.windowsOf(tx, ticks);
    const changes: PriceChange[] = [];
    const looks = ticks.map((tick) => {
      const { price, previous, pegDeviationPercent, cause } = tick;
      const { asset, priceUsd, publishedAtMs: atMs, isStale } = price;
      const window = windows.get(asset);
      if (isStale || window === undefined) return { price, range: null, pegDeviationPercent, cause };
      window.add(priceUsd, atMs);
      const recent = previous === null || previous.isStale ? null : window.range(atMs, REEVALUATED_MINUTES);
      const range = recent && previous && including(recent, previous.priceUsd);
      changes.push({ asset, priceUsd, cause, thresholds: thresholdsOf(asset, range) });
      const moveRange = window.range(atMs, this.config.PRICE_MOVE_WINDOW_MINUTES);
      return { price, range: moveRange, pegDeviationPercent, cause };
    });
    await this.prices.save(tx, [...new Map(ticks.map(({ price }) => [price.asset, price])).values()]);
    await this.minutes.save(
      tx,
      [...windows.values()].flatMap(({ changedMinutes }) => changedMinutes),
    );
    const assets = ticks.map(({ price }) => price.asset);
    await this.rules.evaluate(tx, changes, assets, ticks.at(-1)?.cause ?? {});
    await this.conditions.evaluate(tx, looks);
  }

  private async windowsOf(tx: SqlExecutor, ticks: readonly PriceTick[]): Promise<Map<string, PriceWindow>> {
    const assets = [...new Set(ticks.map(({ price }) => price.asset))];
    const oldestMs = Math.min(...ticks.map(({ price }) => price.publishedAtMs));
    const windowMs = this.config.PRICE_MOVE_WINDOW_MINUTES * PRICE_STEP_MS;
    const minutes = await this.minutes.since(tx, assets, oldestMs - windowMs);
    const of = (wanted: string) => minutes.filter(({ asset }) => asset === wanted);
    return new Map(assets.map((asset) => [asset, new PriceWindow(asset, of(asset))]));
  }
}

function including({ high, low }: PriceRange, priceUsd: number): PriceRange {
  return { high: Math.max(high, priceUsd), low: Math.min(low, priceUsd) };
}
