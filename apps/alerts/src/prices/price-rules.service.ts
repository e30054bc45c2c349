import { Injectable } from '@nestjs/common';
import type { Correlation } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { RulesRepository } from '../automation/rules.repository';
import { Clock } from '../clock';
import type { Evaluation } from '../evaluation/evaluation';
import { EvaluationService } from '../evaluation/evaluation.service';
import { PositionsRepository } from '../evaluation/positions.repository';
import { type ThresholdRange, joined, positionsWithin } from './crossed-rules';

/** A new price, and the thresholds that it may have crossed. */
export interface PriceChange {
  asset: string;
  priceUsd: number;
  thresholds: ThresholdRange;
  cause: Correlation;
}

/** Evaluates the rules whose thresholds a price crossed, and no others. */
@Injectable()
export class PriceRules {
  constructor(
    private readonly rules: RulesRepository,
    private readonly positions: PositionsRepository,
    private readonly evaluation: EvaluationService,
    private readonly clock: Clock,
  ) {}

  /** Prices in order; the caller holds the lock on watching, and has saved the last of each. */
  async evaluate(tx: SqlExecutor, changes: readonly PriceChange[]): Promise<void> {
    if (changes.length === 0) return;
    const found = await this.rules.waitingWithin(tx, joined(changes.map(({ thresholds }) => thresholds)));
    if (found.length === 0) return;
    // All at once, so that two batches cannot lock them in different orders.
    const states = await this.positions.lockStates(tx, [
      ...new Set(found.map(({ positionId }) => positionId)),
    ]);
    const atMs = this.clock.now();
    const evaluations = changes.flatMap(({ asset, priceUsd, thresholds, cause }): Evaluation[] =>
      [...positionsWithin(thresholds, found)].flatMap((positionId) => {
        const position = states.get(positionId);
        if (position === undefined) return [];
        const prices = { [asset]: priceUsd };
        return [{ position, previous: null, prices, atMs, ageBlocks: 0, cause }];
      }),
    );
    await this.evaluation.run(tx, evaluations);
  }
}
