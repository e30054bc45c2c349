import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '../clock';
import { AlertsConfig } from '../config';
import { IncidentsRepository } from '../incidents/incidents.repository';
import { HistoryRepository } from './history.repository';

const EVERY_MS = 600_000;
const DAY_MS = 86_400_000;

/** Deletes history beyond its days, and facts that got into no incident. Any number of instances may clean. */
@Injectable()
export class HistoryCleaner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('history-cleaner');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly config: AlertsConfig,
    private readonly history: HistoryRepository,
    private readonly incidents: IncidentsRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => (this.running = this.clean()), EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  async clean(): Promise<void> {
    const beforeMs = this.clock.now() - this.config.HISTORY_DAYS * DAY_MS;
    try {
      while (!this.isStopping && (await this.history.forgetBefore(this.pool, beforeMs)));
      await this.incidents.forgetLooseFacts(this.pool, this.clock.now() - DAY_MS);
    } catch (error) {
      this.logger.warn({ msg: 'old history cannot be deleted; tried again later', err: error });
    }
  }
}
