import { Injectable } from '@nestjs/common';
import type { Correlation } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { type Evaluation, again } from '../positions/evaluation';
import { PositionsRepository } from '../positions/positions.repository';
import { type ThresholdRange, joined, positionsWithin } from '../sources/rule/crossed-rules';
import { RulesRepository } from '../sources/rule/rules.repository';
import { Depegs } from './depegs.service';
import { EvaluationService } from './evaluation.service';

/** A new price, and the thresholds that it may have crossed. */
export interface PriceChange {
  asset: string;
  priceUsd: number;
  thresholds: ThresholdRange;
  cause: Correlation;
}

/**
 * Evaluates what depends on market prices: rules whose thresholds a price crossed, and positions with a
 * depeg.
 */
@Injectable()
export class PriceRules {
  constructor(
    private readonly rules: RulesRepository,
    private readonly positions: PositionsRepository,
    private readonly evaluation: EvaluationService,
    private readonly depegs: Depegs,
    private readonly clock: Clock,
  ) {}

  /**
   * The caller holds the watch lock, and has saved the last price of each asset.
   * @param changes prices in order
   * @param assets whose price is new, or no longer fresh; a depeg is measured only at the last price
   */
  async evaluate(
    tx: SqlExecutor,
    changes: readonly PriceChange[],
    assets: readonly string[],
    cause: Correlation,
  ): Promise<void> {
    const thresholds = joined(changes.map((change) => change.thresholds));
    const found = thresholds.length === 0 ? [] : await this.rules.waitingWithin(tx, thresholds);
    const depegs = await this.depegs.affectedBy(tx, assets);
    if (found.length === 0 && depegs.now.length === 0) return;
    // One statement for all, so that two batches cannot lock them in different orders.
    const states = await this.positions.lockStates(tx, [
      ...new Set([...found.map(({ positionId }) => positionId), ...depegs.now]),
    ]);
    const atMs = this.clock.now();
    const evaluations = changes.flatMap(({ asset, priceUsd, cause: of, thresholds: range }): Evaluation[] =>
      [...positionsWithin(range, found)].flatMap((positionId) => {
        const position = states.get(positionId);
        if (position === undefined) return [];
        return [{ ...again(position, atMs, of), prices: { [asset]: priceUsd } }];
      }),
    );
    for (const positionId of depegs.now) {
      const position = states.get(positionId);
      if (position) evaluations.push(again(position, atMs, cause));
    }
    await this.evaluation.run(tx, evaluations);
    // After all locks on positions.
    await this.depegs.defer(tx, depegs.later);
  }
}
