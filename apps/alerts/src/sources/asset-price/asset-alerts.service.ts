import { Injectable } from '@nestjs/common';
import { type AlertV1, type Correlation, NO_ALERT_CONTENT, newId } from '@plimsoll/contracts';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { continueCorrelation } from '@plimsoll/service-kit';
import { alertWithoutPosition } from '../../lifecycle/alert-without-position';
import { Clock } from '../../clock';
import { confidenceBasis, scoreOf } from '../../content/confidence-score';
import { PositionsRepository } from '../../positions/positions.repository';
import { groupIdOf, pricesCause } from '../../groups/alert-group';
import type { GroupMember } from '../../groups/alert-groups.repository';
import { AlertGroups } from '../../groups/alert-groups.service';
import { PricesRepository } from '../../prices/prices.repository';
import { MOST_AFFECTED, NO_POSITIONS, affectedSentence, moveContent } from './affected-positions';
import { type AssetAlert, type AssetAlertChanges, assetAlertChanges, someChanges } from './asset-alert';
import { AssetAlertsRepository } from './holders.repository';
import type { AssetCondition, ConditionText } from './asset-condition';
import { AssetConditionsRepository } from './asset-conditions.repository';

/** Most alerts that one transaction opens or resolves: about two seconds of work. */
const MOST_CHANGES = 10_000;

/** Accounts whose positions one statement reads. */
const ACCOUNTS_PER_STATEMENT = 200;

/** Opens and resolves alerts about assets. The alert.v1 event of each is part of the caller's transaction. */
@Injectable()
export class AssetAlerts {
  constructor(
    private readonly conditions: AssetConditionsRepository,
    private readonly alerts: AssetAlertsRepository,
    private readonly prices: PricesRepository,
    private readonly positions: PositionsRepository,
    private readonly groups: AlertGroups,
    private readonly clock: Clock,
  ) {}

  /**
   * Aligns the alerts of all accounts about the assets with their conditions and holders, some thousands at a
   * time. Returns true when more remain. The caller has locked the conditions. This is the last step of a
   * transaction.
   * @param causes by asset
   */
  async alignEveryone(tx: SqlExecutor, causes: ReadonlyMap<string, Correlation>): Promise<boolean> {
    await this.alerts.lock(tx);
    const assets = [...causes.keys()];
    const all = await this.changes(tx, await this.conditions.of(tx, assets), null);
    const { changes, isAll } = someChanges(all, MOST_CHANGES);
    await this.apply(tx, changes, causes);
    await this.conditions.setPending(tx, assets, !isAll);
    return !isAll;
  }

  /** Aligns all alerts of accounts whose holdings changed. */
  async alignOf(
    tx: SqlExecutor,
    causes: ReadonlyMap<string, Correlation>,
    accountIds: readonly string[],
  ): Promise<void> {
    await this.alerts.lock(tx);
    const known = await this.conditions.of(tx, [...causes.keys()]);
    // No account has an alert of a condition that is not met, except accounts whose resolution is pending.
    const met = known.filter(({ severity }) => severity !== null);
    await this.apply(tx, await this.changes(tx, met, accountIds), causes);
  }

  /** @param accountIds null: every account */
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
    const opened = await this.openedAlerts(tx, open, nowMs);
    const resolved = resolve.map(({ alert }) => alert.id);
    await this.alerts.resolve(tx, resolved, nowMs);
    await this.alerts.insert(tx, opened);
    const groupOf = await this.join(tx, opened, causes, nowMs);
    const events = [
      ...resolve.map(({ alert, text }) => alertEvent(alert, text, nowMs)),
      ...opened.map((alert) => ({ ...alertEvent(alert, alert, null), ...groupOf.get(alert.id) })),
    ];
    await appendToOutbox(
      tx,
      events.map((value) => {
        const { requestId, traceparent } = causes.get(value.asset) ?? {};
        return outgoing('alert.v1', value, continueCorrelation(requestId, traceparent));
      }),
    );
  }

  /** Builds alerts with their effect on each account, some accounts at a time. */
  private async openedAlerts(
    tx: SqlExecutor,
    open: AssetAlertChanges['open'],
    nowMs: number,
  ): Promise<AssetAlert[]> {
    const prices = await this.prices.find(tx, [...new Set(open.map(({ condition }) => condition.asset))]);
    const opened: AssetAlert[] = [];
    for (const [condition, accountIds] of accountsByCondition(open)) {
      const { asset, type, title, message, move } = condition;
      const price = prices.get(asset);
      const agreement = { sources: price?.sources ?? 1, spreadPercent: price?.spreadPercent ?? null };
      const basis = confidenceBasis(0, agreement);
      for (let from = 0; from < accountIds.length; from += ACCOUNTS_PER_STATEMENT) {
        const some = accountIds.slice(from, from + ACCOUNTS_PER_STATEMENT);
        const held = move && (await this.positions.holding(tx, asset, some, MOST_AFFECTED));
        for (const accountId of some) {
          const content = move
            ? moveContent(asset, move, held?.get(accountId) ?? NO_POSITIONS, basis)
            : { ...NO_ALERT_CONTENT, confidenceBasis: basis };
          const sentence = move ? ` ${affectedSentence(content)}` : '';
          opened.push({
            id: newId('alt'),
            accountId,
            asset,
            type,
            severity: condition.severity ?? condition.lastSeverity,
            title,
            message: message + sentence,
            confidenceScore: scoreOf(basis),
            createdAtMs: nowMs,
            content,
          });
        }
      }
    }
    return opened;
  }

  /**
   * Moves within one second form one group. The events already name a group of two or more moves in this
   * batch.
   */
  private async join(
    tx: SqlExecutor,
    opened: readonly AssetAlert[],
    causes: ReadonlyMap<string, Correlation>,
    nowMs: number,
  ): Promise<Map<string, { groupId: string }>> {
    const groupCause = pricesCause(nowMs);
    const members = opened
      .filter(({ type }) => type === 'price_move')
      .map(({ id: alertId, accountId, asset }): GroupMember => {
        const groupId = groupIdOf(accountId, groupCause);
        return { groupId, accountId, alertId, groupCause, cause: causes.get(asset) ?? {} };
      });
    await this.groups.join(tx, members);
    const sizes = new Map<string, number>();
    for (const { groupId } of members) sizes.set(groupId, (sizes.get(groupId) ?? 0) + 1);
    const together = members.filter(({ groupId }) => (sizes.get(groupId) ?? 0) > 1);
    return new Map(together.map(({ alertId, groupId }) => [alertId, { groupId }]));
  }
}

function accountsByCondition(open: AssetAlertChanges['open']): Map<AssetCondition, string[]> {
  const accounts = new Map<AssetCondition, string[]>();
  for (const { accountId, condition } of open) {
    const known = accounts.get(condition);
    if (known) known.push(accountId);
    else accounts.set(condition, [accountId]);
  }
  return accounts;
}

function alertEvent(
  alert: AssetAlert,
  { title, message }: ConditionText,
  resolvedAtMs: number | null,
): AlertV1 & { asset: string } {
  const { asset, content } = alert;
  const value = alertWithoutPosition({ ...alert, title, message, resolvedAtMs });
  return { ...value, asset, ...(content && { content }) };
}
