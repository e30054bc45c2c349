import { Injectable } from '@nestjs/common';
import { PeriodicService, Clock } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { RecentEventsRepository } from './recent-events.repository';

const EVERY_MS = 300_000;

/** Deletes events for which no late watch can arrive. */
@Injectable()
export class RecentEventsCleaner extends PeriodicService {
  constructor(
    private readonly recent: RecentEventsRepository,
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {
    super({
      name: 'recent events',
      everyMs: EVERY_MS,
      failure: 'cannot delete old events; the next attempt is in five minutes',
      waitsFirst: true,
    });
  }

  protected round(): Promise<void> {
    return this.recent.forget(this.pool, this.clock.now());
  }
}
