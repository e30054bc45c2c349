import { Injectable } from '@nestjs/common';
import type { Correlation } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { WatchesRepository } from '../../accounts/watches.repository';
import { type Evaluation, causeFor } from '../../positions/evaluation';
import { type PositionState, heldAssets } from '../../positions/position-state';
import { AssetAlerts } from './asset-alerts.service';

/** Aligns alerts about assets when the holders of an asset change. */
@Injectable()
export class HoldingChanges {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly alerts: AssetAlerts,
  ) {}

  /** Runs after new states of positions are written. Most states change no holding and cost nothing here. */
  async ofStates(tx: SqlExecutor, evaluations: readonly Evaluation[]): Promise<void> {
    const causes = new Map<string, Correlation>();
    const wallets = new Set<string>();
    for (const { position, previous, cause } of evaluations) {
      for (const asset of changedAssets(previous, position)) {
        causes.set(asset, cause);
        wallets.add(position.wallet);
      }
    }
    if (wallets.size === 0) return;
    const watchers = await this.watches.watchersOf(tx, [...wallets]);
    const accountIds = new Set([...watchers.values()].flatMap((accounts) => [...accounts.keys()]));
    if (accountIds.size > 0) await this.alerts.alignOf(tx, causes, [...accountIds]);
  }

  /** Runs after accounts started or stopped watching the wallet of these positions. */
  async ofWatchers(
    tx: SqlExecutor,
    evaluations: readonly Evaluation[],
    accountIds: readonly string[],
  ): Promise<void> {
    const causes = new Map<string, Correlation>();
    // The request of one account is unknown to the others of the batch.
    const [only, ...others] = accountIds;
    for (const evaluation of evaluations) {
      const cause = only === undefined || others.length > 0 ? {} : causeFor(only, evaluation);
      for (const asset of heldAssets(evaluation.position)) causes.set(asset, cause);
    }
    if (causes.size > 0) await this.alerts.alignOf(tx, causes, accountIds);
  }
}

/** Returns the assets that are held in exactly one of the two states. */
function changedAssets(before: PositionState | null, after: PositionState): string[] {
  const had = before === null ? [] : heldAssets(before);
  const has = heldAssets(after);
  return [...had.filter((asset) => !has.includes(asset)), ...has.filter((asset) => !had.includes(asset))];
}
