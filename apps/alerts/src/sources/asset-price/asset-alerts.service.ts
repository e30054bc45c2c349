import { Injectable } from '@nestjs/common';
import { type Correlation, NO_ALERT_CONTENT } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { confidenceBasis, scoreOf } from '../../content/confidence-score';
import { AlertLifecycle, type Opening } from '../../lifecycle/alert-lifecycle.service';
import { PositionsRepository } from '../../positions/positions.repository';
import { PricesRepository } from '../../prices/prices.repository';
import { MOST_AFFECTED, NO_POSITIONS, affectedSentence, moveContent } from './affected-positions';
import { type AssetAlertChanges, assetAlertChanges, someChanges } from './asset-alert';
import type { AssetCondition } from './asset-condition';
import { AssetConditionsRepository } from './asset-conditions.repository';
import { HoldersRepository } from './holders.repository';

/** Most alerts that one transaction opens or resolves: about two seconds of work. */
const MOST_CHANGES = 10_000;

/** Accounts whose positions one statement reads. */
const ACCOUNTS_PER_STATEMENT = 200;

/** Opens and resolves alerts about assets, in the caller's transaction. */
@Injectable()
export class AssetAlerts {
  constructor(
    private readonly conditions: AssetConditionsRepository,
    private readonly holders: HoldersRepository,
    private readonly prices: PricesRepository,
    private readonly positions: PositionsRepository,
    private readonly lifecycle: AlertLifecycle,
  ) {}

  /**
   * Aligns the alerts of all accounts about the assets with their conditions and holders, some thousands at a
   * time. Returns true when more remain. The caller has locked the conditions. This is the last step of a
   * transaction.
   * @param causes by asset
   */
  async alignEveryone(tx: SqlExecutor, causes: ReadonlyMap<string, Correlation>): Promise<boolean> {
    await this.holders.lock(tx);
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
    await this.holders.lock(tx);
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
    const holders = await this.holders.of(tx, assets, accountIds);
    const active = await this.lifecycle.active(tx, { assets, accountIds: accountIds ?? undefined });
    return assetAlertChanges(conditions, holders, active);
  }

  private async apply(
    tx: SqlExecutor,
    { resolve, open }: AssetAlertChanges,
    causes: ReadonlyMap<string, Correlation>,
  ): Promise<void> {
    if (resolve.length + open.length === 0) return;
    // First, because an account may have one alert of a condition at a time.
    await this.lifecycle.resolve(
      tx,
      resolve.map(({ alert, text }) => ({ alert, text, cause: causes.get(alert.asset ?? '') ?? {} })),
    );
    await this.lifecycle.open(tx, await this.openings(tx, open, causes));
  }

  /** Builds alerts with their effect on each account, some accounts at a time. */
  private async openings(
    tx: SqlExecutor,
    open: AssetAlertChanges['open'],
    causes: ReadonlyMap<string, Correlation>,
  ): Promise<Opening[]> {
    const prices = await this.prices.find(tx, [...new Set(open.map(({ condition }) => condition.asset))]);
    const openings: Opening[] = [];
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
            ? moveContent(
                type === 'depeg' ? 'depeg' : 'price',
                asset,
                move,
                held?.get(accountId) ?? NO_POSITIONS,
                basis,
              )
            : { ...NO_ALERT_CONTENT, confidenceBasis: basis };
          const sentence = move ? ` ${affectedSentence(content)}` : '';
          openings.push({
            accountId,
            asset,
            type,
            severity: condition.severity ?? condition.lastSeverity,
            title,
            message: message + sentence,
            confidenceScore: scoreOf(basis),
            content,
            cause: causes.get(asset) ?? {},
          });
        }
      }
    }
    return openings;
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
