import { Injectable } from '@nestjs/common';
import { newId, priceSymbol } from '@plimsoll/contracts';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { continueCorrelation } from '@plimsoll/service-kit';
import { PositionAlertsRepository } from '../lifecycle/alerts.repository';
import { ExecutionsRepository } from '../sources/rule/executions.repository';
import type { Rule } from '../sources/rule/rule';
import { RuleIndex } from '../sources/rule/rule-index';
import { RulesRepository } from '../sources/rule/rules.repository';
import { Clock } from '../clock';
import { movesTogether } from '../positions/depeg';
import { ExecutionAlerts } from '../sources/execution/execution-alerts.service';
import { AlertGroups } from '../groups/alert-groups.service';
import { groupBatch } from '../lifecycle/batch-groups';
import { IncidentsService } from '../incidents/incidents.service';
import { PricesRepository } from '../prices/prices.repository';
import { AlertSettingsRepository } from '../accounts/alert-settings.repository';
import { WatchesRepository } from '../accounts/watches.repository';
import { DROP_WINDOW_MS } from '../positions/collateral-drop';
import type { Evaluation } from '../lifecycle/evaluation';
import { PositionEvaluator } from './position-evaluator';

/** Evaluates positions and writes the results, all in the caller's transaction. */
@Injectable()
export class EvaluationService {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly alerts: PositionAlertsRepository,
    private readonly rules: RulesRepository,
    private readonly executions: ExecutionsRepository,
    private readonly incidents: IncidentsService,
    private readonly prices: PricesRepository,
    private readonly executionAlerts: ExecutionAlerts,
    private readonly settings: AlertSettingsRepository,
    private readonly groups: AlertGroups,
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
    const known = await this.alerts.recent(tx, positionIds, nowMs - DROP_WINDOW_MS);
    const rules = [...(await this.rules.activeOn(tx, positionIds)), ...leaving];
    const prices = await this.pricesFor(tx, rules, evaluations);
    const accounts = new Set([...watchers.values()].flatMap((some) => [...some]));
    for (const { accountId } of known) accounts.add(accountId);
    const preferences = await this.settings.preferencesOf(tx, [...accounts]);
    const evaluator = new PositionEvaluator(
      { alerts: known, watchers, preferences, rules: new RuleIndex(rules), prices },
      { nowMs, newId },
    );
    for (const evaluation of evaluations) evaluator.evaluate(evaluation);
    const { opened, resolved, changed, events, executions, requests, notes, due } = evaluator.outcome;
    await this.alerts.replaceDue(tx, positionIds, due);
    // First, because it returns the incident to which a new alert belongs.
    await this.incidents.apply(tx, notes, nowMs);
    // Before the inserts, because a replaced alert must be resolved when its successor becomes active.
    await this.alerts.update(tx, [...resolved, ...changed]);
    await this.alerts.insert(tx, opened);
    await this.groups.join(tx, groupBatch({ opened, events }, blocksOf(evaluations), nowMs));
    await this.executions.insert(tx, executions);
    await appendToOutbox(tx, [
      ...events.map((event) => {
        const { eventId, cause } = event;
        const options = { ...continueCorrelation(cause.requestId, cause.traceparent), eventId };
        return event.topic === 'alert.v1'
          ? outgoing(event.topic, event.value, options)
          : outgoing(event.topic, event.value, options);
      }),
      ...requests.map(({ value, cause }) =>
        outgoing('automation.v1', value, continueCorrelation(cause.requestId, cause.traceparent)),
      ),
    ]);
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

/** Returns the newest block of each position. */
function blocksOf(evaluations: readonly Evaluation[]): Map<string, Evaluation['position']> {
  return new Map(evaluations.map(({ position }) => [position.id, position]));
}
