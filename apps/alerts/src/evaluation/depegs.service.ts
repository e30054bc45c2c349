import { Injectable } from '@nestjs/common';
import { correlatedAssets } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { type MarketPrices, depegOf } from '../positions/depeg';
import { DueOpeningsRepository } from '../positions/due-openings.repository';
import { PricesRepository } from '../prices/prices.repository';
import { type DepegHolder, DepegsRepository, type HolderCursor } from './depegs.repository';

/** Most positions that the transaction of a price evaluates. */
const MOST_PER_TRANSACTION = 200;
const PAGE = 2_000;
/** Most holders that are examined for one price, starting with those nearest to liquidation. */
const MOST_EXAMINED = 10_000;

/** Finds the positions that a market price may bring into danger, or out of it. */
@Injectable()
export class Depegs {
  constructor(
    private readonly prices: PricesRepository,
    private readonly holders: DepegsRepository,
    private readonly due: DueOpeningsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the positions to evaluate now, those nearest to liquidation first. The caller has saved the
   * prices. No lock is needed: a state that changes meanwhile is evaluated by its own event.
   * @param assets whose market price is new, or no longer fresh
   */
  async affectedBy(tx: SqlExecutor, assets: readonly string[]): Promise<{ now: string[]; later: string[] }> {
    const affected = new Set<string>();
    for (const [group, moved] of byGroup(assets)) {
      const market = await this.prices.fresh(tx, group);
      for (const id of await this.inGroup(tx, group, moved, market)) affected.add(id);
    }
    const ids = [...affected];
    return { now: ids.slice(0, MOST_PER_TRANSACTION), later: ids.slice(MOST_PER_TRANSACTION) };
  }

  /** Defers positions to the poller of due alerts, which evaluates a batch at a time. */
  defer(tx: SqlExecutor, positionIds: readonly string[]): Promise<void> {
    return this.due.defer(tx, positionIds, this.clock.now());
  }

  private async inGroup(
    tx: SqlExecutor,
    group: readonly string[],
    moved: readonly string[],
    market: MarketPrices,
  ): Promise<string[]> {
    const found: string[] = [];
    const open = await this.holders.open(tx);
    let after: HolderCursor | null = null;
    for (let examined = 0; examined < MOST_EXAMINED; examined += PAGE) {
      const page: DepegHolder[] = await this.holders.holders(tx, moved, group, open, after, PAGE);
      for (const { id, healthFactor, figures, isOpen } of page)
        if (isOpen || (figures !== null && depegOf(figures, healthFactor, market, null) !== null))
          found.push(id);
      after = page.at(-1) ?? null;
      if (page.length < PAGE) break;
    }
    return found;
  }
}

/** Groups the assets by those that move with them. An asset without such assets cannot deviate. */
function byGroup(assets: readonly string[]): [group: string[], moved: string[]][] {
  const groups = new Map<string, [string[], string[]]>();
  for (const asset of new Set(assets)) {
    const group = correlatedAssets(asset);
    if (group.length === 1) continue;
    const known = groups.get(group.join()) ?? [group, []];
    known[1].push(asset);
    groups.set(group.join(), known);
  }
  return [...groups.values()];
}
