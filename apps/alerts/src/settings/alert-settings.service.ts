import { Injectable } from '@nestjs/common';
import type { AlertPreferences } from '@plimsoll/contracts';
import { Clock, currentCorrelation, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { AlertSettingsRepository } from '../accounts/alert-settings.repository';
import { WatchesRepository } from '../accounts/watches.repository';
import { EvaluationService } from '../evaluation/evaluation.service';
import { again } from '../positions/evaluation';
import { PositionsRepository } from '../positions/positions.repository';

/** Changes an account's alert settings and applies them to its alerts. */
@Injectable()
export class AlertSettingsService {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly settings: AlertSettingsRepository,
    private readonly watches: WatchesRepository,
    private readonly positions: PositionsRepository,
    private readonly evaluation: EvaluationService,
  ) {}

  of(accountId: string): Promise<AlertPreferences> {
    return this.settings.of(accountId);
  }

  /**
   * One transaction, so that a position that is evaluated meanwhile uses the settings from before or after
   * the change, never both.
   */
  change(accountId: string, changes: Partial<AlertPreferences>): Promise<AlertPreferences> {
    return inTransaction(this.pool, async (tx) => {
      await this.watches.lockForWriting(tx);
      const atMs = this.clock.now();
      const settings = await this.settings.change(tx, accountId, changes, atMs);
      if (changes.minUsd === undefined) return settings;
      const wallets = await this.watches.walletsOf(tx, accountId);
      const positions = await this.positions.ofWallets(tx, wallets);
      const cause = currentCorrelation();
      await this.evaluation.run(
        tx,
        positions.map((position) => again(position, atMs, cause, accountId)),
      );
      return settings;
    });
  }
}
