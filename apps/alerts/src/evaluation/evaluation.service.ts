import { Injectable } from '@nestjs/common';
import { newId, priceSymbol } from '@plimsoll/contracts';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { Clock, continueCorrelation } from '@plimsoll/service-kit';
import { AlertSettingsRepository } from '../accounts/alert-settings.repository';
import { WatchesRepository } from '../accounts/watches.repository';
import { AlertLifecycle } from '../lifecycle/alert-lifecycle.service';
import { DROP_WINDOW_MS } from '../positions/collateral-drop';
import { movesTogether } from '../positions/depeg';
import { DueOpeningsRepository } from '../positions/due-openings.repository';
import type { Evaluation } from '../positions/evaluation';
import { PricesRepository } from '../prices/prices.repository';
import { ExecutionAlerts } from '../sources/execution/execution-alerts.service';
import { ExecutionsRepository } from '../sources/rule/executions.repository';
import { type Rule, RuleIndex } from '../sources/rule/rule';
import { RulesRepository } from '../sources/rule/rules.repository';
import { PositionEvaluator } from './position-evaluator';

/** Evaluates positions and writes the results, all in the caller's transaction. */
@Injectable()
export class EvaluationService {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly lifecycle: AlertLifecycle,
    private readonly due: DueOpeningsRepository,
    private readonly rules: RulesRepository,
    private readonly executions: ExecutionsRepository,
    private readonly prices: PricesRepository,
    private readonly executionAlerts: ExecutionAlerts,
    private readonly settings: AlertSettingsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The caller holds the watch lock, and locks on the positions where others may evaluate them too.
   * @param leaving rules that are now off or deleted; their alerts resolve
   */
  async run(
    tx: SqlExecutor,
    evaluations: readonly Evaluation[],
    leaving: readonly Rule[] = [],
  ): Promise<void> {
    if (evaluations.length === 0) return;
    const nowMs = this.clock.now();
    const positionIds = [...new Set(evaluations.map(({ position }) => position.id))];
    const wallets = [...new Set(evaluations.map(({ position }) => position.wallet))];
    const watchers = await this.watches.watchersOf(tx, wallets);
    const known = await this.lifecycle.ofPositions(tx, positionIds, nowMs - DROP_WINDOW_MS);
    const rules = [...(await this.rules.activeOn(tx, positionIds)), ...leaving];
    const prices = await this.pricesFor(tx, rules, evaluations);
    const accounts = new Set([...watchers.values()].flatMap((some) => [...some.keys()]));
    for (const { accountId } of known) accounts.add(accountId);
    const preferences = await this.settings.preferencesOf(tx, [...accounts]);
    const evaluator = new PositionEvaluator(
      { alerts: known, watchers, preferences, rules: new RuleIndex(rules), prices },
      { nowMs, newId },
    );
    for (const evaluation of evaluations) evaluator.evaluate(evaluation);
    const { outcome } = evaluator;
    const { executions, requests, due, resolved } = outcome;
    await this.due.replace(tx, positionIds, due);
    await this.lifecycle.write(
      tx,
      outcome,
      new Map(evaluations.map(({ position }) => [position.id, position])),
    );
    await this.executions.insert(tx, executions);
    await appendToOutbox(
      tx,
      requests.map(({ value, cause }) =>
        outgoing('automation.v1', value, continueCorrelation(cause.requestId, cause.traceparent)),
      ),
    );
    await this.executionAlerts.positionsChanged(tx, {
      clearedRuleIds: resolved.flatMap(({ ruleId }) => ruleId ?? []),
      closedIds: evaluations.flatMap(({ position }) => (position.closed ? position.id : [])),
    });
  }

  /** Returns the prices of assets in rules, and of assets whose market price can leave their oracle price. */
  private async pricesFor(
    tx: SqlExecutor,
    rules: readonly Rule[],
    evaluations: readonly Evaluation[],
  ): Promise<Record<string, number>> {
    const assets = new Set(rules.flatMap(({ asset }) => (asset === null ? [] : [priceSymbol(asset)])));
    for (const { position } of evaluations) {
      const { contract } = position.holdings;
      if (contract && movesTogether(contract))
        for (const { asset } of contract.legs) assets.add(priceSymbol(asset));
    }
    return assets.size === 0 ? {} : this.prices.fresh(tx, [...assets]);
  }
}
