import { Injectable } from '@nestjs/common';
import { checksumAddress } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Clock, PeriodicService, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { AlertSettingsRepository, preferencesOf } from '../../accounts/alert-settings.repository';
import { AlertsConfig } from '../../config';
import { confidenceBasis, scoreOf } from '../../content/confidence-score';
import { positionContent } from '../../content/position-content';
import { AlertLifecycle, type Opening } from '../../lifecycle/alert-lifecycle.service';
import { type AffectedByChange, ParameterChangesRepository } from './parameter-changes.repository';
import { announcedText, causeOfChange, overText, severityOf } from './parameter-text';

/** Most alerts that one transaction opens, and most that it resolves. */
const LIMIT = 1_000;

/**
 * Opens and resolves alerts until every account has those of its positions. It compares states, so the order in which
 * announcements, positions and watches arrive does not matter. Any number of instances may poll.
 */
@Injectable()
export class ParameterAlertsPoller extends PeriodicService {
  constructor(
    private readonly pool: Pool,
    private readonly changes: ParameterChangesRepository,
    private readonly settings: AlertSettingsRepository,
    private readonly lifecycle: AlertLifecycle,
    private readonly clock: Clock,
    config: AlertsConfig,
  ) {
    super({
      name: 'parameter-alerts',
      everyMs: config.PARAMETER_POLL_MS,
      failure: 'alerts about announced changes cannot be opened or resolved; the next poll tries again',
    });
  }

  /** @returns whether more remain */
  protected async round(): Promise<boolean> {
    // Most rounds find nothing, and one query costs less than a transaction.
    if (!(await this.changes.mayHaveWork(this.pool))) return false;
    return inTransaction(this.pool, async (tx) => {
      if (!(await this.changes.tryLock(tx))) return false;
      const ended = await this.changes.ended(tx, this.clock.now(), LIMIT);
      await this.lifecycle.resolve(
        tx,
        ended.map(({ state, protocol, chainId, ...alert }) => ({
          alert,
          text: overText(state, { protocol, chainId, asset: alert.asset }),
          cause: {},
        })),
      );
      const missing = await this.changes.missing(tx, this.clock.now(), LIMIT);
      if (missing.length > 0) await this.lifecycle.open(tx, await this.openings(tx, missing));
      return ended.length === LIMIT || missing.length === LIMIT;
    });
  }

  private async openings(tx: SqlExecutor, missing: readonly AffectedByChange[]): Promise<Opening[]> {
    const accountIds = [...new Set(missing.map(({ accountId }) => accountId))];
    const settings = await this.settings.preferencesOf(tx, accountIds);
    return missing.map((affected) => {
      const { accountId, asset, change, changeId, label, position, healthFactor, healthFactorAfter } =
        affected;
      const basis = confidenceBasis(0, null);
      const { wallet, protocol, chainId } = position;
      const content = positionContent({
        position,
        previous: null,
        threshold: null,
        targetHealthFactor: preferencesOf(settings, accountId).targetHealthFactor,
        confidenceBasis: basis,
        walletLabel: label,
        cause: causeOfChange(asset, change),
      });
      return {
        accountId,
        positionId: position.id,
        asset,
        changeId,
        type: 'parameter_change',
        severity: severityOf(affected),
        ...announcedText(affected),
        confidenceScore: scoreOf(basis),
        content: {
          ...content,
          parameterChange: { ...change, source: checksumAddress(change.source) },
          affectedPositions: [
            {
              positionId: position.id,
              wallet: checksumAddress(wallet),
              walletLabel: label,
              protocol,
              chainId,
              healthFactor: { before: healthFactor, now: healthFactorAfter },
            },
          ],
          affectedTotal: 1,
        },
        cause: {},
      };
    });
  }
}
