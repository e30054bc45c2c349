import { Injectable } from '@nestjs/common';
import { Clock, Health, PeriodicService, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { WatchesRepository } from '../accounts/watches.repository';
import { AlertsConfig } from '../config';
import { COOLDOWN_MS } from '../lifecycle/alert';
import { PricesRepository } from '../prices/prices.repository';
import { AssetConditions } from '../sources/asset-price/asset-conditions.service';
import { PriceRules } from './price-rules.service';

const HEALTH_DEADLINE_MS = 1_000;

/**
 * Finds assets without recent price.v1 events. It judges only after this process has consumed without a break
 * for `SILENCE_GRACE_MS`, because earlier the process itself may be behind. Any number of instances may poll.
 */
@Injectable()
export class SilencePoller extends PeriodicService {
  private listeningSinceMs = Infinity;

  constructor(
    private readonly pool: Pool,
    private readonly health: Health,
    private readonly clock: Clock,
    private readonly config: AlertsConfig,
    private readonly watches: WatchesRepository,
    private readonly prices: PricesRepository,
    private readonly rules: PriceRules,
    private readonly conditions: AssetConditions,
  ) {
    super({
      name: 'silence',
      everyMs: config.SILENCE_POLL_MS,
      failure: 'stale prices cannot be found; the next poll tries again',
    });
  }

  protected async round(): Promise<void> {
    if (await this.mayJudge()) await this.judge();
  }

  private async mayJudge(): Promise<boolean> {
    const { checks } = await this.health.report(HEALTH_DEADLINE_MS);
    const nowMs = this.clock.now();
    this.listeningSinceMs = checks['consumers'] === 'ok' ? Math.min(this.listeningSinceMs, nowMs) : Infinity;
    return nowMs - this.listeningSinceMs >= this.config.SILENCE_GRACE_MS;
  }

  private judge(): Promise<void> {
    return inTransaction(this.pool, async (tx) => {
      await this.watches.lockForReading(tx);
      const silent = await this.prices.silence(tx, this.clock.now(), COOLDOWN_MS);
      if (silent.length === 0) return;
      const assets = silent.map(({ asset }) => asset);
      await this.rules.evaluate(tx, [], assets, {});
      await this.conditions.evaluate(
        tx,
        silent.map((price) => ({ price, range: null, pegDeviationPercent: null, cause: {} })),
      );
    });
  }
}
