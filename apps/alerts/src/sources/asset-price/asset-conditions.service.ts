import { Injectable } from '@nestjs/common';
import type { Correlation } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { AlertsConfig } from '../../config';
import type { AssetPrice } from '../../prices/asset-price';
import { type PriceRange, moveFrom } from '../../prices/price-window';
import { AssetAlerts } from './asset-alerts.service';
import {
  type AssetAlertType,
  type AssetCondition,
  DEVIATION_LASTS_MS,
  deviationSeverity,
  moveSeverity,
  nextCondition,
  nextLastingCondition,
} from './asset-condition';
import { AssetConditionsRepository } from './asset-conditions.repository';
import { depegTexts, moveTexts, staleTexts } from './asset-text';

/** A price to evaluate. */
export interface AssetPriceChange {
  price: AssetPrice;
  /**
   * Lowest and highest price within the window of moves. Null when the price is stale and cannot be judged.
   */
  range: PriceRange | null;
  /** Percent from the target price, negative below it. Null without a target. */
  pegDeviationPercent: number | null;
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
        const before = known.get(keyOf(condition))?.severity ?? null;
        known.set(keyOf(condition), condition);
        changed.set(keyOf(condition), condition);
        if (condition.severity !== before) causes.set(condition.asset, look.cause);
      }
    }
    if (changed.size === 0) return;
    await this.conditions.save(tx, [...changed.values()]);
    if (causes.size === 0) return;
    await this.alerts.alignEveryone(tx, causes);
  }

  private changesOf(look: AssetPriceChange, known: ReadonlyMap<string, AssetCondition>): AssetCondition[] {
    const { price, range } = look;
    const knownOf = (type: AssetAlertType): AssetCondition | null =>
      known.get(keyOf({ asset: price.asset, type })) ?? null;
    const changes = [
      this.staleChange(price, knownOf('oracle_stale')),
      range && this.moveChange(price, range, knownOf('price_move')),
      this.depegChange(look, knownOf('depeg')),
    ];
    return changes.filter((condition) => condition !== null);
  }

  private staleChange(price: AssetPrice, known: AssetCondition | null): AssetCondition | null {
    const of = { asset: price.asset, type: 'oracle_stale' as const };
    return nextCondition(of, known, price.isStale ? 'medium' : null, staleTexts(price), this.clock.now());
  }

  private moveChange(
    price: AssetPrice,
    range: PriceRange,
    known: AssetCondition | null,
  ): AssetCondition | null {
    const { PRICE_MOVE_PERCENT, PRICE_MOVE_WINDOW_MINUTES } = this.config;
    const { asset, priceUsd } = price;
    const move = moveFrom(range, priceUsd);
    const severity = moveSeverity(move, PRICE_MOVE_PERCENT / 100);
    const texts = moveTexts(price, move, PRICE_MOVE_WINDOW_MINUTES);
    return nextCondition({ asset, type: 'price_move' }, known, severity, texts, this.clock.now(), {
      fromUsd: priceUsd / (1 + move),
      toUsd: priceUsd,
    });
  }

  /** A price that cannot be judged neither opens nor ends a depeg, and starts the time again that it must last. */
  private depegChange(
    { price, range, pegDeviationPercent: percent }: AssetPriceChange,
    known: AssetCondition | null,
  ): AssetCondition | null {
    const { asset, priceUsd, publishedAtMs: atMs } = price;
    const isJudged = range !== null && percent !== null;
    const pegUsd = isJudged ? priceUsd / (1 + percent / 100) : priceUsd;
    return nextLastingCondition(
      { asset, type: 'depeg' },
      known,
      isJudged ? deviationSeverity(percent) : 'held',
      depegTexts(price, pegUsd),
      { nowMs: this.clock.now(), atMs, lastsMs: DEVIATION_LASTS_MS },
      { fromUsd: pegUsd, toUsd: priceUsd },
    );
  }
}
