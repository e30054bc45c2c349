import { Injectable } from '@nestjs/common';
import type { Correlation } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { AlertsConfig } from '../../config';
import type { AssetPrice } from '../../prices/asset-price';
import { type PriceRange, moveFrom } from '../../prices/price-window';
import { AssetAlerts } from './asset-alerts.service';
import { type AssetAlertType, type AssetCondition, moveSeverity, nextCondition } from './asset-condition';
import { AssetConditionsRepository } from './asset-conditions.repository';
import { moveTexts, staleTexts } from './asset-text';

/** A price to evaluate. */
export interface AssetPriceChange {
  price: AssetPrice;
  /**
   * Lowest and highest price within the window of moves. Null when the price is stale and cannot be judged.
   */
  range: PriceRange | null;
  cause: Correlation;
}

const keyOf = ({ asset, type }: { asset: string; type: AssetAlertType }): string => `${asset} ${type}`;

/** Updates the conditions on assets and notifies the holders of the assets. */
@Injectable()
export class AssetConditions {
  constructor(
    private readonly config: AlertsConfig,
    private readonly conditions: AssetConditionsRepository,
    private readonly alerts: AssetAlerts,
    private readonly clock: Clock,
  ) {}

  /** Evaluates prices in order. The caller has locked them, and holds the watch lock. */
  async evaluate(tx: SqlExecutor, looks: readonly AssetPriceChange[]): Promise<void> {
    const assets = [...new Set(looks.map(({ price }) => price.asset))];
    const known = new Map(
      (await this.conditions.lock(tx, assets)).map((condition) => [keyOf(condition), condition]),
    );
    const changed = new Map<string, AssetCondition>();
    const causes = new Map<string, Correlation>();
    for (const look of looks) {
      for (const condition of this.changesOf(look, known)) {
        known.set(keyOf(condition), condition);
        changed.set(keyOf(condition), condition);
        causes.set(condition.asset, look.cause);
      }
    }
    if (changed.size === 0) return;
    await this.conditions.save(tx, [...changed.values()]);
    await this.alerts.alignEveryone(tx, causes);
  }

  private changesOf(
    { price, range }: AssetPriceChange,
    known: ReadonlyMap<string, AssetCondition>,
  ): AssetCondition[] {
    const { PRICE_MOVE_PERCENT, PRICE_MOVE_WINDOW_MINUTES } = this.config;
    const { asset, isStale, priceUsd } = price;
    const nowMs = this.clock.now();
    const stale = { asset, type: 'oracle_stale' as const };
    const seen = isStale ? ('medium' as const) : null;
    const staleNow = nextCondition(stale, known.get(keyOf(stale)) ?? null, seen, staleTexts(price), nowMs);
    if (range === null) return staleNow ? [staleNow] : [];
    const move = moveFrom(range, priceUsd);
    const moved = { asset, type: 'price_move' as const };
    const severity = moveSeverity(move, PRICE_MOVE_PERCENT / 100);
    const texts = moveTexts(price, move, PRICE_MOVE_WINDOW_MINUTES);
    const movedNow = nextCondition(moved, known.get(keyOf(moved)) ?? null, severity, texts, nowMs, {
      fromUsd: priceUsd / (1 + move),
      toUsd: priceUsd,
    });
    return [staleNow, movedNow].filter((condition) => condition !== null);
  }
}
