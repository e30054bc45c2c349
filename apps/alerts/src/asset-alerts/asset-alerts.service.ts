import { Injectable } from '@nestjs/common';
import { type AlertV1, type Correlation, newId } from '@plimsoll/contracts';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { continueCorrelation } from '@plimsoll/service-kit';
import { alertWithoutPosition } from '../alerts/alert-without-position';
import { Clock } from '../clock';
import { confidenceScore } from '../evaluation/confidence-score';
import { PricesRepository } from '../prices/prices.repository';
import { type AssetAlert, type AssetAlertChanges, assetAlertChanges, someChanges } from './asset-alert';
import { AssetAlertsRepository } from './asset-alerts.repository';
import type { AssetCondition, ConditionText } from './asset-condition';
import { AssetConditionsRepository } from './asset-conditions.repository';

/** Alerts that one transaction opens or resolves: about two seconds of it. */
const MOST_CHANGES = 10_000;

/** Opens and resolves alerts about assets, each with its alert.v1 in the caller's transaction. */
@Injectable()
export class AssetAlerts {
  constructor(
    private readonly conditions: AssetConditionsRepository,
    private readonly alerts: AssetAlertsRepository,
    private readonly prices: PricesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes the alerts of everyone about the assets what their conditions and holders say, some thousands at a time:
   * true when there are more. The caller has locked the conditions. To be the last of a transaction.
   * @param causes by asset
   */
  async alignEveryone(tx: SqlExecutor, causes: ReadonlyMap<string, Correlation>): Promise<boolean> {
    await this.alerts.lock(tx);
    const assets = [...causes.keys()];
    const all = await this.changes(tx, await this.conditions.of(tx, assets), null);
    const { changes, isAll } = someChanges(all, MOST_CHANGES);
    await this.apply(tx, changes, causes);
    await this.conditions.setTelling(tx, assets, !isAll);
    return !isAll;
  }

  /** As `alignEveryone`, for accounts whose holdings changed: all of them. */
  async alignOf(
    tx: SqlExecutor,
    causes: ReadonlyMap<string, Correlation>,
    accountIds: readonly string[],
  ): Promise<void> {
    await this.alerts.lock(tx);
    const known = await this.conditions.of(tx, [...causes.keys()]);
    // Nobody has an alert of a condition that is not met, but who is about to be told that it is over.
    const met = known.filter(({ severity }) => severity !== null);
    await this.apply(tx, await this.changes(tx, met, accountIds), causes);
  }

  /** @param accountIds null: everyone's */
  private async changes(
    tx: SqlExecutor,
    conditions: readonly AssetCondition[],
    accountIds: readonly string[] | null,
  ): Promise<AssetAlertChanges> {
    if (conditions.length === 0) return { resolve: [], open: [] };
    const assets = [...new Set(conditions.map(({ asset }) => asset))];
    const holders = await this.alerts.holders(tx, assets, accountIds);
    const active = await this.alerts.active(tx, assets, accountIds);
    return assetAlertChanges(conditions, holders, active);
  }

  private async apply(
    tx: SqlExecutor,
    { resolve, open }: AssetAlertChanges,
    causes: ReadonlyMap<string, Correlation>,
  ): Promise<void> {
    if (resolve.length + open.length === 0) return;
    const nowMs = this.clock.now();
    const prices = await this.prices.find(tx, [...causes.keys()]);
    const opened = open.map(({ accountId, condition, severity }): AssetAlert => {
      const { asset, type, title, message } = condition;
      const score = confidenceScore(0, prices.get(asset)?.spreadPercent ?? null);
      const text = { title, message, confidenceScore: score, createdAtMs: nowMs };
      return { id: newId('alt'), accountId, asset, type, severity, ...text };
    });
    const resolved = resolve.map(({ alert }) => alert.id);
    await this.alerts.resolve(tx, resolved, nowMs);
    await this.alerts.insert(tx, opened);
    const events = [
      ...resolve.map(({ alert, text }) => alertEvent(alert, text, nowMs)),
      ...opened.map((alert) => alertEvent(alert, alert, null)),
    ];
    await appendToOutbox(
      tx,
      events.map((value) => {
        const { requestId, traceparent } = causes.get(value.asset) ?? {};
        return outgoing('alert.v1', value, continueCorrelation(requestId, traceparent));
      }),
    );
  }
}

function alertEvent(
  alert: AssetAlert,
  { title, message }: ConditionText,
  resolvedAtMs: number | null,
): AlertV1 & { asset: string } {
  return { ...alertWithoutPosition({ ...alert, title, message, resolvedAtMs }), asset: alert.asset };
}
