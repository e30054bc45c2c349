import { Injectable } from '@nestjs/common';
import { type SqlExecutor, appendToOutbox, outgoing, tombstone } from '@plimsoll/event-bus';
import { Clock, currentCorrelation } from '@plimsoll/service-kit';
import { EvaluationService } from '../evaluation/evaluation.service';
import { again } from '../positions/evaluation';
import type { PositionState, RiskFigures } from '../positions/position-state';
import { PositionsRepository } from '../positions/positions.repository';
import type { Rule } from '../sources/rule/rule';
import { RulesRepository } from '../sources/rule/rules.repository';
import { ruleEvent } from './rule-response';

/** Writes rules with their rule.v1 event and evaluates the changed ones, all in the caller's transaction. */
@Injectable()
export class RuleWriter {
  constructor(
    private readonly rules: RulesRepository,
    private readonly positions: PositionsRepository,
    private readonly evaluation: EvaluationService,
    private readonly clock: Clock,
  ) {}

  /**
   * The caller holds the exclusive watch lock, so no event of the position is evaluated between rule and
   * state.
   * @param current figures of the position that may be newer than the stored ones; null when none were read
   */
  async save(tx: SqlExecutor, rule: Rule, current: CurrentFigures | null): Promise<void> {
    await this.rules.save(tx, rule);
    await appendToOutbox(tx, [outgoing('rule.v1', ruleEvent(rule), currentCorrelation())]);
    await this.evaluate(tx, rule, current);
  }

  /** Deletes a rule in the same way and resolves its alert. */
  async delete(tx: SqlExecutor, rule: Rule): Promise<void> {
    await this.rules.delete(tx, rule.id);
    await appendToOutbox(tx, [tombstone('rule.v1', rule.id, currentCorrelation())]);
    await this.evaluate(tx, { ...rule, isActive: false }, null);
  }

  private async evaluate(tx: SqlExecutor, rule: Rule, current: CurrentFigures | null): Promise<void> {
    const [stored] = await this.positions.ofIds(tx, [rule.positionId]);
    // No event of the position exists yet. rule.v1 starts its tracking, and its first event is evaluated.
    if (stored === undefined) return;
    const position = current && current.block >= (stored.block ?? 0) ? { ...stored, ...current } : stored;
    const evaluation = again(position, this.clock.now(), currentCorrelation(), rule.accountId);
    await this.evaluation.run(tx, [evaluation], rule.isActive ? [] : [rule]);
  }
}

/** Figures of a position that were read now. */
export type CurrentFigures = Pick<
  PositionState,
  'healthFactor' | 'collateralUsd' | 'debtUsd' | 'band' | 'holdings' | 'closed'
> &
  Partial<RiskFigures> & { block: number };
