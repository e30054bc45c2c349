import { Injectable } from '@nestjs/common';
import { Clock, PeriodicService } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { AlertsConfig } from '../config';
import { IncidentsRepository } from '../incidents/incidents.repository';
import { PriceMinutesRepository } from '../prices/price-minutes.repository';
import { HistoryRepository } from './history.repository';

const EVERY_MS = 600_000;
const DAY_MS = 86_400_000;

/** Deletes history beyond its days, and facts without an incident. Any number of instances may clean. */
@Injectable()
export class HistoryCleaner extends PeriodicService {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly config: AlertsConfig,
    private readonly history: HistoryRepository,
    private readonly prices: PriceMinutesRepository,
    private readonly incidents: IncidentsRepository,
  ) {
    super({
      name: 'history-cleaner',
      everyMs: EVERY_MS,
      failure: 'old history cannot be deleted; the next attempt is in ten minutes',
      waitsFirst: true,
    });
  }

  protected round(): Promise<boolean> {
    return this.clean();
  }

  /** Deletes a part. Returns whether more may remain. */
  async clean(): Promise<boolean> {
    const beforeMs = this.clock.now() - this.config.HISTORY_DAYS * DAY_MS;
    const hasMoreStates = await this.history.forgetBefore(this.pool, beforeMs);
    const hasMorePrices = await this.prices.forgetBefore(this.pool, beforeMs);
    const hasMoreFacts = await this.incidents.forgetLooseFacts(this.pool, this.clock.now() - DAY_MS);
    return hasMoreStates || hasMorePrices || hasMoreFacts;
  }
}
