import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Clock, PeriodicService, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { AlertSettingsRepository, preferencesOf } from '../../accounts/alert-settings.repository';
import { AlertsConfig } from '../../config';
import { confidenceBasis, scoreOf } from '../../content/confidence-score';
import { positionContent } from '../../content/position-content';
import { message } from '../../content/sentences';
import { AlertLifecycle, type Opening } from '../../lifecycle/alert-lifecycle.service';
import { PricesRepository } from '../../prices/prices.repository';
import { affectedPositions } from '../asset-price/affected-positions';
import { type MissingAlert, OraclePricesRepository } from './oracle-prices.repository';
import { effectSentence, notAffectedText } from './oracle-text';

/** Most alerts that one transaction opens, and most that it resolves. */
const LIMIT = 1_000;
/** Three of the longest heartbeats of oracle-price.v1. */
const STATED_WITHIN_MS = 900_000;

/**
 * Opens and resolves alerts until every account has those of its positions. It compares states, so the order in which
 * prices, positions and watches arrive does not matter. Any number of instances may poll.
 */
@Injectable()
export class OracleAlertsPoller extends PeriodicService {
  constructor(
    private readonly pool: Pool,
    private readonly oracles: OraclePricesRepository,
    private readonly prices: PricesRepository,
    private readonly settings: AlertSettingsRepository,
    private readonly lifecycle: AlertLifecycle,
    private readonly clock: Clock,
    config: AlertsConfig,
  ) {
    super({
      name: 'oracle-alerts',
      everyMs: config.ORACLE_POLL_MS,
      failure: 'alerts about oracles cannot be opened or resolved; the next poll tries again',
    });
  }

  /** @returns whether more remain */
  protected async round(): Promise<boolean> {
    // Most rounds find nothing, and one query costs less than a transaction.
    if (!(await this.oracles.mayHaveWork(this.pool))) return false;
    return inTransaction(this.pool, async (tx) => {
      if (!(await this.oracles.tryLock(tx))) return false;
      const ended = await this.oracles.ended(tx, this.clock.now(), LIMIT);
      // First, because a position has one alert about an asset, and a worse one replaces it.
      await this.lifecycle.resolve(
        tx,
        ended.map(({ overTitle, overMessage, ...alert }) => ({
          alert,
          text:
            overTitle === null || overMessage === null
              ? notAffectedText(alert.asset)
              : { title: overTitle, message: overMessage },
          cause: {},
        })),
      );
      const missing = await this.oracles.missing(tx, this.clock.now() - STATED_WITHIN_MS, LIMIT);
      if (missing.length > 0) await this.lifecycle.open(tx, await this.openings(tx, missing));
      return ended.length === LIMIT || missing.length === LIMIT;
    });
  }

  private async openings(tx: SqlExecutor, missing: readonly MissingAlert[]): Promise<Opening[]> {
    const accountIds = [...new Set(missing.map(({ accountId }) => accountId))];
    const settings = await this.settings.preferencesOf(tx, accountIds);
    const prices = await this.prices.find(tx, [...new Set(missing.map(({ asset }) => asset))]);
    return missing.map(({ accountId, asset, move, label, position, severity, ...text }) => {
      const affected = affectedPositions(asset, move, {
        positions: [position],
        labels: new Map([[position.wallet, label]]),
      });
      const { sources, spreadPercent } = prices.get(asset) ?? { sources: null, spreadPercent: null };
      const basis = confidenceBasis(0, { sources: sources ?? 1, spreadPercent });
      const changePercent = (move.toUsd / move.fromUsd - 1) * 100;
      const content = positionContent({
        position,
        previous: null,
        threshold: null,
        targetHealthFactor: preferencesOf(settings, accountId).targetHealthFactor,
        confidenceBasis: basis,
        walletLabel: label,
        cause: { kind: 'depeg', asset, changePercent, ...move },
      });
      return {
        accountId,
        positionId: position.id,
        asset,
        type: 'oracle_deviation',
        severity,
        title: text.title,
        message: message(text.message, effectSentence(affected[0])),
        confidenceScore: scoreOf(basis),
        content: { ...content, affectedPositions: affected, affectedTotal: affected.length },
        cause: {},
      };
    });
  }
}
