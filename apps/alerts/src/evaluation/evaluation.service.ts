import { Injectable } from '@nestjs/common';
import { newId } from '@plimsoll/contracts';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { continueCorrelation } from '@plimsoll/service-kit';
import { StandingAlertsRepository } from '../alerts/standing-alerts.repository';
import { Clock } from '../clock';
import { WatchesRepository } from '../watching/watches.repository';
import type { Evaluation } from './evaluation';
import { PositionEvaluator } from './position-evaluator';
import { COOLDOWN_MS } from './standing-conditions';

/** Evaluates positions and writes what comes of it, all in the caller's transaction. */
@Injectable()
export class EvaluationService {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly alerts: StandingAlertsRepository,
    private readonly clock: Clock,
  ) {}

  /** The caller holds the lock on watching, and the positions where others may evaluate them too. */
  async run(tx: SqlExecutor, evaluations: readonly Evaluation[]): Promise<void> {
    if (evaluations.length === 0) return;
    const nowMs = this.clock.now();
    const positionIds = [...new Set(evaluations.map(({ position }) => position.id))];
    const wallets = [...new Set(evaluations.map(({ position }) => position.wallet))];
    const watchers = await this.watches.watchersOf(tx, wallets);
    const known = await this.alerts.standing(tx, positionIds, nowMs - COOLDOWN_MS);
    const evaluator = new PositionEvaluator(known, watchers, { nowMs, newAlertId: () => newId('alt') });
    for (const evaluation of evaluations) evaluator.evaluate(evaluation);
    const { opened, resolved, due, events } = evaluator.outcome;
    await this.alerts.resolve(tx, resolved, nowMs);
    await this.alerts.insert(tx, opened);
    await this.alerts.replaceDue(tx, positionIds, due);
    await appendToOutbox(
      tx,
      events.map(({ value, cause }) =>
        outgoing('alert.v1', value, continueCorrelation(cause.requestId, cause.traceparent)),
      ),
    );
  }
}
