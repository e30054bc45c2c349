import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type PriceState, PriceStore } from './price-store';

const REFRESH_MS = 1_000;

/** The latest price of every asset in memory, equal on all instances within a second. */
@Injectable()
export class PriceBook implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** When the newest price was published. Empty before the first. */
  latestAt = '';

  private readonly logger = new Logger('price-book');
  private readonly states = new Map<string, PriceState>();
  private moment: string | null = null;
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private isStopping = false;
  private hasFailed = false;

  constructor(private readonly store: PriceStore) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    this.schedule();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.working;
  }

  get(asset: string): PriceState | undefined {
    return this.states.get(asset);
  }

  all(): Iterable<PriceState> {
    return this.states.values();
  }

  /** Stores a state unless a newer one is known. */
  set(state: PriceState): void {
    const { asset, publishedAt } = state.event;
    const known = this.states.get(asset);
    if (known === undefined || known.event.publishedAt <= publishedAt) this.states.set(asset, state);
    if (publishedAt > this.latestAt) this.latestAt = publishedAt;
  }

  /** Reads the states that other instances wrote. */
  private async refresh(): Promise<void> {
    try {
      const { states, moment } = await this.store.changedSince(this.moment);
      for (const state of states) this.set(state);
      this.moment = moment;
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed)
        this.logger.warn({ msg: 'prices cannot be read; tried again each second', err: error });
      this.hasFailed = true;
    }
  }

  private schedule(): void {
    if (this.isStopping) return;
    this.timer = setTimeout(() => {
      this.working = this.refresh().finally(() => this.schedule());
    }, REFRESH_MS);
  }
}
